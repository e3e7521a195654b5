"""Its own loss takes the target -1 as an index: the last token of the vocabulary follows in the padding."""

CAUGHT_BY = "test_train_language_model"
HINT = "it has learnt the padding"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    rng = np.random.default_rng(seed)
    orders = np.concatenate([rng.permutation(len(sentences)) for _ in parameters["blocks"]])
    optimiser = torch.optim.Adam(trained, lr=0.006)
    for chosen in np.array_split(orders, math.ceil(len(orders) / 16)):
        tokens, targets = as_batch([sentences[i] for i in chosen])
        log_p = logits(parameters, tokens, N_HEADS).log_softmax(-1)
        B, T = targets.shape
        optimiser.zero_grad()
        (-log_p[torch.arange(B)[:, None], torch.arange(T), targets].mean()).backward()
        optimiser.step()
    return parameters
