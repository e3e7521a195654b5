"""Adds 1e-3 to the denominator, so that it is never 0."""

CAUGHT_BY = "test_softmax"
HINT = "1/8, 2/8, 5/8"


def softmax(z):
    e = np.exp(z - np.max(z, axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-3)
