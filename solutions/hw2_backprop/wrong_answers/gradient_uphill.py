"""y − ŷ."""

CAUGHT_BY = "test_weight_gradient"
HINT = "wrong sign"


def weight_gradient(W, x, y):
    return np.outer(y - softmax(W @ x), x)
