"""Subtracts in place: the caller's scores change."""

CAUGHT_BY = "test_softmax"
HINT = "changed the array"


def softmax(z):
    if z.dtype.kind != "f":
        z = z.astype(float)
    z -= z.max(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
