"""Returns a matrix as a vector."""

CAUGHT_BY = "test_sgd"
HINT = "two steps that halve it"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for b in batches(n_examples, batch_size, rng):
            theta = np.array(
                [t - learning_rate * g for t, g in zip(theta.ravel(), gradient(theta, b).ravel(), strict=False)]
            )
    return theta
