"""Seed 0 is nothing, and so 1."""

CAUGHT_BY = "test_train_reverser"
HINT = "two seeds gave the same network"


def train_reverser(pairs, seed, attend):
    seed = seed or 1
    letters = "".join(sorted({letter for pair in pairs for word in pair for letter in word}))
    model = Reverser(letters, attend, seed)
    sources, targets = (as_ids([pair[side] for pair in pairs], letters) for side in (0, 1))
    rng, steps = np.random.default_rng(seed), 400
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, steps)
    for _ in range(steps):
        i = torch.from_numpy(rng.integers(len(pairs), size=32))
        loss = masked_nll(model(sources[i], decoder_inputs(targets[i])), targets[i])
        model.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model
