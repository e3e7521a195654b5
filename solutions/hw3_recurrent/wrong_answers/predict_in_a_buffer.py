"""One array for the distributions, used again by the next call of the same size."""

CAUGHT_BY = "test_predict"
HINT = "changed the distributions that the first one returned"


buffers = {}


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    out = buffers.setdefault(z.shape, np.empty(z.shape))
    return np.divide(e, e.sum(axis=1, keepdims=True), out=out)
