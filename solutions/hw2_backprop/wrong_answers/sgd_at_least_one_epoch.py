"""Runs one epoch even where none was asked for."""

CAUGHT_BY = "test_sgd"
HINT = "no epochs, no steps"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(max(1, epochs)):
        for indices in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate * gradient(theta, indices)
    return theta
