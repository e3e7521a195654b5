"""Gives the Reverser the whole alphabet, whatever occurs in the pairs."""

CAUGHT_BY = "test_train_reverser"
HINT = "not those that occur in the pairs"


def train_reverser(pairs, seed, attend):
    letters = "abcdefghijklmnopqrstuvwxyz"
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
