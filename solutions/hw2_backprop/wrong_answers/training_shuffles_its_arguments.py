"""Shuffles contexts and targets in place."""

CAUGHT_BY = "test_train_language_model"
HINT = "changed the contexts or targets"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for epoch in range(1, 6):
        order = rng.permutation(len(contexts))
        contexts[:], targets[:] = contexts[order], targets[order]
        for batch in batches(len(contexts), 64, rng):
            X = parameters["E"][contexts[batch]].reshape(len(batch), -1)
            gradients = backward(parameters, X, targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - gradients[name] / epoch for name in parameters}
    return parameters
