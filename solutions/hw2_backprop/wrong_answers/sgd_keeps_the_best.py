"""Returns the θ that came after the smallest gradient, not the last one."""

CAUGHT_BY = "test_sgd"
HINT = "θ after the last one"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    best, smallest = theta, np.inf
    for _ in range(epochs):
        for indices in batches(n_examples, batch_size, rng):
            g = gradient(theta, indices)
            theta = theta - learning_rate * g
            if np.abs(g).max() <= smallest:
                best, smallest = theta, np.abs(g).max()
    return best
