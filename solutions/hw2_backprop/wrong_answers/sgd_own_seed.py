"""Ignores the generator that it is given."""

CAUGHT_BY = "test_sgd"
HINT = "hang on the generator that is given"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    rng = np.random.default_rng(0)
    for _ in range(epochs):
        for b in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate * gradient(theta, b)
    return theta
