"""Subtracts the largest score of the whole matrix: rows of small scores underflow."""

CAUGHT_BY = "test_softmax"
HINT = "largest of each row, not of the matrix"


def softmax(z):
    e = np.exp(z - np.max(z))
    return e / e.sum(axis=-1, keepdims=True)
