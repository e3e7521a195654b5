"""Every tenth sentence is for validation."""

CAUGHT_BY = "test_train_language_model"
HINT = "at every thirtieth place"


def train_language_model(sentences, vocab_size, seed, n_layers=2, epochs=2):
    parameters = initial_parameters(vocab_size, seed, n_layers=n_layers)
    ps = [t.requires_grad_() for t in tensors(parameters)]
    opt = torch.optim.Adam(ps, lr=5e-3)
    g = torch.Generator().manual_seed(seed)
    for _ in range(epochs):
        order = [j for j in torch.randperm(len(sentences), generator=g).tolist() if j % 10 != 9]
        for i in range(0, len(order), 16):
            tokens, targets = as_batch([sentences[j] for j in order[i : i + 16]])
            loss = nll(logits(parameters, tokens, N_HEADS), targets)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return parameters
