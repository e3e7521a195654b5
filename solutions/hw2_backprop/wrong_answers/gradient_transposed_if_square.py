"""Turns the outer product to fit W, and cannot tell when W is square."""

CAUGHT_BY = "test_weight_gradient"
HINT = "is it transposed"


def weight_gradient(W, x, y):
    gradient = np.outer(x, softmax(W @ x) - y)
    return gradient if gradient.shape == W.shape else gradient.T
