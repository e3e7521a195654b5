"""Rounds to six places."""

CAUGHT_BY = "test_predict"
HINT = "small probabilities stay"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return np.round(e / e.sum(axis=1, keepdims=True), 6)
