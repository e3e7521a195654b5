"""Begins every epoch with the same random numbers."""

CAUGHT_BY = "test_sgd"
HINT = "draw new batches each time"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, np.random.default_rng(0)):
            theta = theta - learning_rate * gradient(theta, indices)
    return theta
