"""Returns the mean of θ over the ends of the epochs, not the last."""

CAUGHT_BY = "test_sgd"
HINT = "one before ended"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    ends = []
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            theta = theta - learning_rate * gradient(theta, indices)
        ends.append(theta)
    return sum(ends) / len(ends) if ends else theta
