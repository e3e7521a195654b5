"""Stops after an epoch that ends with a step of length 0."""

CAUGHT_BY = "test_sgd"
HINT = "whose gradient is 0"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            before, theta = theta, theta - learning_rate * gradient(theta, indices)
        if np.array_equal(before, theta):
            break
    return theta
