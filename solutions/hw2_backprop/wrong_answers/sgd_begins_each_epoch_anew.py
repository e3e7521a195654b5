"""Each epoch starts from the first θ."""

CAUGHT_BY = "test_sgd"
HINT = "one before ended"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    new = theta
    for _ in range(epochs):
        new = theta
        for indices in batches(n_examples, batch_size, rng):
            new = new - learning_rate * gradient(new, indices)
    return new
