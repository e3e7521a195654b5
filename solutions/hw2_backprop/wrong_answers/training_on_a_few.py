"""Trains on the first 300 examples only."""

CAUGHT_BY = "test_train_language_model"
HINT = "from all that is given"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for _ in range(60):
        for batch in batches(min(300, len(contexts)), 50, rng):
            X = parameters["E"][contexts[batch]].reshape(len(batch), -1)
            gradients = backward(parameters, X, targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            for name, gradient in gradients.items():
                parameters[name] = parameters[name] - gradient
    return parameters
