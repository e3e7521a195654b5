"""Keeps a trained network by its seed, whatever the pairs and the attention."""

CAUGHT_BY = "test_train_reverser"
HINT = "keep none from one call to the next"

_models = {}


def train_reverser(pairs, seed, attend):
    if seed in _models:
        return _models[seed]
    letters = "".join(sorted({c for a, b in pairs for c in a + b}))
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
    _models[seed] = model
    return model
