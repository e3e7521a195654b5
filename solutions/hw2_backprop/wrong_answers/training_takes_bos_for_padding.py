"""Leaves out the contexts at the start of a sentence, as if id 0 were padding."""

CAUGHT_BY = "test_train_language_model"
HINT = "<bos> too"


def train_language_model(contexts, targets, vocab_size, seed):
    kept = (contexts != 0).all(1)
    contexts, targets = contexts[kept], targets[kept]
    rng = np.random.default_rng(seed)
    parameters = initial_parameters(rng, vocab_size)
    for epoch in range(1, 6):
        for batch in batches(len(contexts), 64, rng):
            X = parameters["E"][contexts[batch]].reshape(len(batch), -1)
            gradients = backward(parameters, X, targets[batch])
            gradients["E"] = embedding_gradient(parameters, contexts[batch], targets[batch])
            parameters = {name: parameters[name] - gradients[name] / epoch for name in parameters}
    return parameters
