"""x(ŷ − y)ᵀ: hidden by a square W."""

CAUGHT_BY = "test_weight_gradient"
HINT = "the gradient has the shape of W"


def weight_gradient(W, x, y):
    return np.outer(x, softmax(W @ x) - y)
