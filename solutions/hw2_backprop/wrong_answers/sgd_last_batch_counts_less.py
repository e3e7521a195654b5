"""A smaller step for the smaller last batch, whose gradient is a mean already."""

CAUGHT_BY = "test_sgd"
HINT = "its gradient is a mean already"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        for b in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate * gradient(theta, b) * len(b) / batch_size
    return theta
