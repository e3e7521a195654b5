"""Subtracts the largest scores only where the largest of the whole matrix is far from 0."""

CAUGHT_BY = "test_softmax"
HINT = "always, also where none"


def softmax(z):
    z = np.asarray(z, dtype=float)
    if z.max() > 700 or z.max() < -700:
        z = z - z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
