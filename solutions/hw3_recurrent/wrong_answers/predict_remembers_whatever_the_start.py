"""Distributions that are kept by parameters and inputs, whatever the start."""

CAUGHT_BY = "test_predict"
HINT = "from two starts"


known = {}


def predict(p, x, h0):
    key = tuple((name, p[name].tobytes()) for name in sorted(p)), x.tobytes(), x.shape
    if key not in known:
        z = forward(p, x, h0)[1]
        e = np.exp(z - z.max(axis=1, keepdims=True))
        known[key] = e / e.sum(axis=1, keepdims=True)
    return known[key].copy()
