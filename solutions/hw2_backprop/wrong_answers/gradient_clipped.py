"""Clips the gradient at 100."""

CAUGHT_BY = "test_weight_gradient"
HINT = "nothing is cut off"


def weight_gradient(W, x, y):
    g = np.outer(softmax(W @ x) - y, x)
    return np.clip(g, -100, 100)
