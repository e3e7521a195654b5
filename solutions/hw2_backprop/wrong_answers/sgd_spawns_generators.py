"""Gives each epoch a generator of its own instead of the one that it was given."""

CAUGHT_BY = "test_sgd"
HINT = "with the generator that is given"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for child in rng.spawn(epochs):
        for indices in batches(n_examples, batch_size, child):
            theta = theta - learning_rate * gradient(theta, indices)
    return theta
