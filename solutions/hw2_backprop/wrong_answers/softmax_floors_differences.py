"""Lets no score lie more than 50 below the largest, against the underflow."""

CAUGHT_BY = "test_softmax"
HINT = "cut nothing off"


def softmax(z):
    e = np.exp(np.maximum(z - np.max(z, axis=-1, keepdims=True), -50))
    return e / e.sum(axis=-1, keepdims=True)
