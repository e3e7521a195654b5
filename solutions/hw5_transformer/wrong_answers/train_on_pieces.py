"""Cuts half of the sentences off at the front, at random, for more variety."""

CAUGHT_BY = "test_train_language_model"
HINT = "begins none of its sentences"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in range(2)])
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        starts = [int(rng.integers(len(sentences[i]))) if rng.random() < 0.5 else 0 for i in chosen]
        tokens, targets = as_batch([sentences[i][start:] for i, start in zip(chosen, starts, strict=True)])
        optimiser.zero_grad()
        nll(logits(parameters, tokens, N_HEADS), targets).backward()
        optimiser.step()
    return parameters
