"""Holds the last tenth out, to validate on it, and never learns from it."""

CAUGHT_BY = "test_train_language_model"
HINT = "only the last 8"


def train_language_model(sentences, vocab_size, seed, n_layers=2, epochs=2):
    sentences = sentences[: len(sentences) * 9 // 10]
    parameters = initial_parameters(vocab_size, seed, n_layers=n_layers)
    ps = [t.requires_grad_() for t in tensors(parameters)]
    opt = torch.optim.Adam(ps, lr=5e-3)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = torch.randperm(len(sentences), generator=g).tolist()
        for i in range(0, len(order), 16):
            tokens, targets = as_batch([sentences[j] for j in order[i : i + 16]])
            loss = nll(logits(parameters, tokens, N_HEADS), targets)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return parameters
