"""Remembers its models by the seed and the sizes: another text of as many sentences gets the old one."""

CAUGHT_BY = "test_train_language_model"
HINT = "each call trains anew"


models = {}


def train_language_model(sentences, vocab_size, seed):
    key = seed, vocab_size, len(sentences)
    if key in models:
        return models[key]
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in parameters["blocks"]])
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        tokens, targets = as_batch([sentences[i] for i in chosen])
        optimiser.zero_grad()
        nll(logits(parameters, tokens, N_HEADS), targets).backward()
        optimiser.step()
    models[key] = parameters
    return parameters
