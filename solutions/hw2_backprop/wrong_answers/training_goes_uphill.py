"""Adds the gradients."""

CAUGHT_BY = "test_train_language_model"
HINT = "training makes it worse"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for batch in batches(len(contexts), 100, rng):
        gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
        for name, gradient in gradients.items():
            parameters[name] = parameters[name] + gradient
    return parameters
