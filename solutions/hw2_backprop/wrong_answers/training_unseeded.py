"""Takes its random numbers from nowhere in particular."""

CAUGHT_BY = "test_train_language_model"
HINT = "the same seed gave other parameters"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng()
    parameters = initial_parameters(rng, vocab_size)
    for _ in range(4):
        for batch in batches(len(contexts), 100, rng):
            gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            for name, gradient in gradients.items():
                parameters[name] = parameters[name] - gradient
    return parameters
