"""Subtracts the mean instead of the largest score."""

CAUGHT_BY = "test_softmax"
HINT = "wrong for rows of very different size"


def softmax(z):
    e = np.exp(z - np.mean(z, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
