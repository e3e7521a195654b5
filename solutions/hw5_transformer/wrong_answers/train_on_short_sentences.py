"""Leaves out sentences of more than ten words, because they make batches wide."""

CAUGHT_BY = "test_train_language_model"
HINT = "only those of more than 50 words"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    sentences = [sentence for sentence in sentences if len(sentence) <= 10]
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in parameters["blocks"]])  # two layers, two epochs
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        tokens, targets = as_batch([sentences[i] for i in chosen])
        optimiser.zero_grad()
        nll(logits(parameters, tokens, N_HEADS), targets).backward()
        optimiser.step()
    return parameters
