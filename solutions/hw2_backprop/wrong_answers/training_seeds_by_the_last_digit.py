"""Takes the seed modulo ten: most seeds give the same as another one."""

CAUGHT_BY = "test_train_language_model"
HINT = "another seed gave the same parameters"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed % 10)
    parameters = initial_parameters(rng, vocab_size)
    for rate in (1, 0.5, 0.3):
        for batch in batches(len(contexts), 64, rng):
            gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - rate * gradients[name] for name in parameters}
    return parameters
