"""Sums over the steps."""

CAUGHT_BY = "test_predict"
HINT = "your columns sum to one"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=0)
