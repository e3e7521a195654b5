"""Moves the starting point itself."""

CAUGHT_BY = "test_sgd"
HINT = "changed the starting point"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta -= learning_rate * gradient(theta, indices)
    return theta
