"""Writes probabilities into an array of the type of the scores."""

CAUGHT_BY = "test_softmax"
HINT = "matrix of integers"


def softmax(z):
    if z.ndim == 1:
        e = np.exp(z - z.max())
        return e / e.sum()
    p = np.zeros_like(z)
    for b in range(len(z)):
        e = np.exp(z[b] - z[b].max())
        p[b] = e / e.sum()
    return p
