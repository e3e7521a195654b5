"""Draws the order by the seed, the first parameters always by 0."""

CAUGHT_BY = "test_train_language_model"
HINT = "begin with initial_parameters"


def train_language_model(contexts, targets, vocab_size, seed):
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(np.random.default_rng(0), vocab_size)
    for epoch in range(1, 6):
        for batch in batches(len(contexts), 64, rng):
            X = np.hstack([parameters["E"][ids] for ids in contexts[batch].T])
            g = backward(parameters, X, targets[batch])
            g["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - g[name] / epoch for name in parameters}
    return parameters
