"""Makes one distribution of all steps together."""

CAUGHT_BY = "test_predict"
HINT = "each row sums to one by itself"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(initial=-np.inf))
    return e / e.sum()
