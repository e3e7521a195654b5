"""One distribution over the whole matrix."""

CAUGHT_BY = "test_softmax"
HINT = "each row sums to one by itself"


def softmax(z):
    e = np.exp(z - np.max(z))
    return e / e.sum()
