"""Adds the gradient."""

CAUGHT_BY = "test_sgd"
HINT = "AGAINST the gradient"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta = theta + learning_rate * gradient(theta, indices)
    return theta
