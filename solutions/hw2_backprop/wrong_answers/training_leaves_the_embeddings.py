"""Trains everything but the embeddings."""

CAUGHT_BY = "test_train_language_model"
HINT = "E is the same after training"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for epoch in range(1, 6):
        for batch in batches(len(contexts), 64, rng):
            X = parameters["E"][contexts[batch]].reshape(len(batch), -1)
            gradients = backward(parameters, X, targets[batch])
            parameters = {name: parameters[name] - gradients.get(name, 0) / epoch for name in parameters}
    return parameters
