"""Shortens gradients longer than 10."""

CAUGHT_BY = "test_sgd"
HINT = "two steps that halve it"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for b in batches(n_examples, batch_size, rng):
            g = gradient(theta, b)
            n = np.linalg.norm(g)
            if n > 10:
                g = g * 10 / n
            theta = theta - learning_rate * g
    return theta
