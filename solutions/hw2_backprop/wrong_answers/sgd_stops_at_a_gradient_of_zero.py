"""Takes the first gradient of 0 for the end of the way."""

CAUGHT_BY = "test_sgd"
HINT = "whose gradient is 0"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            g = gradient(theta, indices)
            if not np.any(g):
                return theta
            theta = theta - learning_rate * g
    return theta
