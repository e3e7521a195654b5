"""The decoder reads the letter that it is to write: the loss falls to nothing, and nothing is learnt."""

CAUGHT_BY = "test_train_reverser"
HINT = "does the decoder read `decoder_inputs(targets)`, not the targets"


def train_reverser(pairs, seed, attend):
    letters = "".join(sorted({letter for pair in pairs for word in pair for letter in word}))
    model = Reverser(letters, attend, seed)
    sources, targets = (as_ids([pair[side] for pair in pairs], letters) for side in (0, 1))
    rng = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for _ in range(200):
        i = torch.from_numpy(rng.integers(len(pairs), size=32))
        loss = masked_nll(model(sources[i], targets[i]), targets[i])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model
