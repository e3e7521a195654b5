"""Trains a model of six heads, each of width 8, and well."""

CAUGHT_BY = "test_train_language_model"
HINT = "N_HEADS"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed, d=48)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in range(3)])
    steps = math.ceil(len(orders) / 16)
    optimiser = torch.optim.Adam(trained, lr=0.006)
    falling = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0, steps)
    for chosen in np.array_split(orders, steps):
        tokens, targets = as_batch([sentences[i] for i in chosen])
        optimiser.zero_grad()
        nll(logits(parameters, tokens, 6), targets).backward()
        optimiser.step()
        falling.step()
    return parameters
