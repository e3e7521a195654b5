"""Gives scores far below the largest a probability of 0."""

CAUGHT_BY = "test_softmax"
HINT = "neither cut off nor raised"


def softmax(z):
    z = np.asarray(z, float)
    z = z - z.max(-1, keepdims=True)
    z = np.where(z < -30, -np.inf, z)
    e = np.exp(z)
    return e / e.sum(-1, keepdims=True)
