"""Draws the batches once, before the first epoch."""

CAUGHT_BY = "test_sgd"
HINT = "draw new batches each time"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    drawn = batches(n_examples, batch_size, rng)
    for _ in range(epochs):
        for indices in drawn:
            theta = theta - learning_rate * gradient(theta, indices)
    return theta
