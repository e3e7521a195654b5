"""The list of pairs is sorted in place before the training."""

CAUGHT_BY = "test_train_reverser"
HINT = "changed the list of pairs"


def train_reverser(pairs, seed, attend):
    pairs.sort()
    letters = "".join(sorted(set("".join(word + target for word, target in pairs))))
    model = Reverser(letters, attend, seed)
    sources, targets = as_ids([a for a, _ in pairs], letters), as_ids([b for _, b in pairs], letters)
    rng, steps = np.random.default_rng(seed), 400
    optimizer = torch.optim.Adam(model.parameters())
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, steps)
    for _ in range(steps):
        i = torch.from_numpy(rng.integers(len(pairs), size=32))
        loss = masked_nll(model(sources[i], decoder_inputs(targets[i])), targets[i])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    return model
