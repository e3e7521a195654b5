"""Stops where the gradient is small."""

CAUGHT_BY = "test_sgd"
HINT = "take every step that is asked for"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for b in batches(n_examples, batch_size, rng):
            g = gradient(theta, b)
            if np.abs(g).max() < 1e-3:
                return theta
            theta = theta - learning_rate * g
    return theta
