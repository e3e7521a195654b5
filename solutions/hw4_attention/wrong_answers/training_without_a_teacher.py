"""The decoder reads nothing but BOS in training."""

CAUGHT_BY = "test_train_reverser"
HINT = "Does the loss fall?"


def train_reverser(pairs, seed, attend):
    letters = "".join(sorted({letter for pair in pairs for word in pair for letter in word}))
    model = Reverser(letters, attend, seed)
    sources, targets = (as_ids([pair[side] for pair in pairs], letters) for side in (0, 1))
    rng = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(model.parameters(), 0.004)
    for _ in range(350):
        i = torch.from_numpy(rng.integers(len(pairs), size=32))
        loss = masked_nll(model(sources[i], torch.full_like(targets[i], BOS)), targets[i])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
