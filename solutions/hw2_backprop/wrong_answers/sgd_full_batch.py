"""One step an epoch with all examples."""

CAUGHT_BY = "test_sgd"
HINT = "3 steps an epoch"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        theta = theta - learning_rate * gradient(theta, np.arange(n_examples))
    return theta
