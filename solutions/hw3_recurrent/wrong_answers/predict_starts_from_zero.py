"""Ignores the start."""

CAUGHT_BY = "test_predict"
HINT = "and a random h0"


def predict(p, x, h0):
    z = forward(p, x, np.zeros(len(h0)))[1]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
