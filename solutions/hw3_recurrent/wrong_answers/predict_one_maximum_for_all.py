"""Subtracts the largest output of the whole matrix."""

CAUGHT_BY = "test_predict"
HINT = "subtract the largest of each ROW"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(initial=-np.inf))
    return e / e.sum(axis=1, keepdims=True)
