"""Cuts batches off behind ten tokens, a block size as in tutorials."""

CAUGHT_BY = "test_train_language_model"
HINT = "learnt from to its last word"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in parameters["blocks"]])  # two layers, two epochs
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        tokens, targets = as_batch([sentences[i] for i in chosen])
        optimiser.zero_grad()
        nll(logits(parameters, tokens[:, :10], N_HEADS), targets[:, :10]).backward()
        optimiser.step()
    return parameters
