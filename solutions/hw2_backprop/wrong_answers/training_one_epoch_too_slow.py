"""Two epochs with a learning rate of 0.05: hardly moves."""

CAUGHT_BY = "test_train_language_model"
HINT = "below 4 was asked for"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for _ in range(40 if len(contexts) < 2000 else 2):
        for batch in batches(len(contexts), 100, rng):
            gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            for name, gradient in gradients.items():
                parameters[name] = parameters[name] - 0.05 * gradient
    return parameters
