"""All steps of an epoch use the gradient at its beginning."""

CAUGHT_BY = "test_sgd"
HINT = "go on from the one before"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    for _ in range(epochs):
        steps = [learning_rate * gradient(theta, indices) for indices in batches(n_examples, batch_size, rng)]
        theta = theta - sum(steps)
    return theta
