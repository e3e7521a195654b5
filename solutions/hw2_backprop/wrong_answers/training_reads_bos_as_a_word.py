"""Reads <bos> as the first of the words."""

CAUGHT_BY = "test_train_language_model"
HINT = "every id that is read has a row of its own"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    contexts = np.where(contexts == 0, 2, contexts)
    for epoch in range(1, 6):
        for batch in batches(len(contexts), 64, rng):
            gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - gradients[name] / epoch for name in parameters}
    return parameters
