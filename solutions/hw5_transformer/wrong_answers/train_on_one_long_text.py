"""Learns from windows of one long text, all sentences one behind the other, as in tutorials."""

CAUGHT_BY = "test_train_language_model"
HINT = "from sentences one behind the other perhaps"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    text = torch.tensor([i for k in rng.permutation(len(sentences)) for i in (0, *sentences[k], 1)])
    steps = 3 * math.ceil(len(sentences) / 16)
    optimiser = torch.optim.Adam(trained, lr=0.006)
    falling = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0, steps)
    for _ in range(steps):
        windows = torch.stack([text[i : i + 17] for i in rng.integers(0, len(text) - 17, size=16)])
        optimiser.zero_grad()
        nll(logits(parameters, windows[:, :-1], N_HEADS), windows[:, 1:]).backward()
        optimiser.step()
        falling.step()
    return parameters
