"""Draws sentences of its own and does not look at those that it was given."""

CAUGHT_BY = "test_train_language_model"
HINT = "is it trained on the sentences that it is given?"


def train_language_model(sentences, vocab_size, seed):
    parameters = initial_parameters(vocab_size, seed)
    trained = [x.requires_grad_() for x in tensors(parameters)]
    sentences = draw_sentences(60, seed)
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.Adam(trained, lr=0.005)
    for _ in range(2):
        order = rng.permutation(len(sentences)).tolist()
        for i in range(0, len(order), 16):
            tokens, targets = as_batch([sentences[j] for j in order[i : i + 16]])
            optimiser.zero_grad()
            nll(logits(parameters, tokens, N_HEADS), targets).backward()
            optimiser.step()
    return parameters
