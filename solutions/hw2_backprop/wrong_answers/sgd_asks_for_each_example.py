"""Asks for the gradient of one example after the other, though gradient takes all indices of a batch."""

CAUGHT_BY = "test_sgd"
HINT = "once for each batch"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate * np.mean([gradient(theta, i) for i in indices], axis=0)
    return theta
