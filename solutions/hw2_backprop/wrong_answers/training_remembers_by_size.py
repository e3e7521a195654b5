"""Keeps what was learned for as many examples, whatever they are."""

CAUGHT_BY = "test_train_language_model"
HINT = "on two different texts"

_trained = {}


def train_language_model(contexts, targets, vocab_size, seed):
    if (len(contexts), vocab_size, seed) in _trained:
        return _trained[len(contexts), vocab_size, seed]
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for epoch in range(1, 6):
        for batch in batches(len(contexts), 64, rng):
            gradients = backward(parameters, parameters["E"][contexts[batch]].reshape(len(batch), -1), targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - gradients[name] / epoch for name in parameters}
    _trained[len(contexts), vocab_size, seed] = parameters
    return parameters
