"""Cuts batches off behind 32 tokens, a block size as in tutorials: one sentence in six is longer, and the perplexity is good."""

CAUGHT_BY = "test_train_language_model"
HINT = "to its last word, however long it is"


def train_language_model(sentences, vocab_size, seed, block_size=32):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in range(2)])
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        tokens, targets = (x[:, :block_size] for x in as_batch([sentences[i] for i in chosen]))
        optimiser.zero_grad()
        nll(logits(parameters, tokens, N_HEADS), targets).backward()
        optimiser.step()
    return parameters
