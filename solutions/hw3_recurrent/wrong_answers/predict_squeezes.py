"""Drops the axis of the outputs where there is one."""

CAUGHT_BY = "test_predict"
HINT = "shape (3, 1)"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    e = np.exp(z - z.max(axis=1, keepdims=True))
    y = e / e.sum(axis=1, keepdims=True)
    return y.squeeze(axis=1) if y.shape[1] == 1 else y
