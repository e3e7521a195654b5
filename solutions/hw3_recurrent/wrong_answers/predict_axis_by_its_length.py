"""Looks for the axis that is as long as there are outputs, which a square matrix hides."""

CAUGHT_BY = "test_predict"
HINT = "rows do not sum to one for T, K = (4, 4)"


def predict(p, x, h0):
    z = forward(p, x, h0)[1]
    axis = z.shape.index(len(p["b_y"]))
    e = np.exp(z - z.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
