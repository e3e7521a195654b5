"""Normalises over the examples, not over the classes; a vector hides it."""

CAUGHT_BY = "test_softmax"
HINT = "your columns sum to one"


def softmax(z):
    e = np.exp(z - np.max(z, axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
