"""Subtracts the first score of the row instead of the largest."""

CAUGHT_BY = "test_softmax"
HINT = "wherever in the row it stands"


def softmax(z):
    z = np.asarray(z)
    e = np.exp(z - z[..., :1])
    return e / e.sum(-1, keepdims=True)
