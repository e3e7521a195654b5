"""Cuts the batches once and then only changes their order."""

CAUGHT_BY = "test_sgd"
HINT = "each epoch cuts all examples anew"


def sgd(gradient, theta, n_examples, batch_size, learning_rate, epochs, rng):
    bs = batches(n_examples, batch_size, rng)
    for _e in range(epochs):
        for k in rng.permutation(len(bs)):
            theta = theta - learning_rate * gradient(theta, bs[k])
    return theta
