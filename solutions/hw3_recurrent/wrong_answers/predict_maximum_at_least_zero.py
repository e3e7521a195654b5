"""Subtracts the largest output only where it is above zero."""

CAUGHT_BY = "test_predict"
HINT = "so that the largest is below zero"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - np.maximum(z.max(axis=1, keepdims=True), 0))
    return e / e.sum(axis=1, keepdims=True)
