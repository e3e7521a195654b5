"""Gives every output a little, so that no logarithm is infinite."""

CAUGHT_BY = "test_predict"
HINT = "small probabilities stay"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=1, keepdims=True)) + 1e-7
    return e / e.sum(axis=1, keepdims=True)
