"""Fills an array of its own, which a single number has no places for."""

CAUGHT_BY = "test_sgd"
HINT = "may have any shape"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    theta = np.array(theta, dtype=float)
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta[:] = theta - learning_rate * gradient(theta, indices)
    return theta
