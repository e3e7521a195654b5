"""Divides the learning rate by the square of the number of the epoch, which nobody asked for."""

CAUGHT_BY = "test_sgd"
HINT = "the rate stays as it is"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for epoch in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate / (1 + epoch) ** 2 * gradient(theta, indices)
    return theta
