"""Distributions that are kept by inputs and start, whatever the parameters."""

CAUGHT_BY = "test_predict"
HINT = "the same inputs, other parameters"


known = {}


def predict(p, x, h0):
    key = x.tobytes(), h0.tobytes(), x.shape, len(p["b_y"])
    if key not in known:
        z = forward(p, x, h0)[1]
        e = np.exp(z - z.max(axis=1, keepdims=True))
        known[key] = e / e.sum(axis=1, keepdims=True)
    return known[key]
