"""Subtracts in the caller's target."""

CAUGHT_BY = "test_weight_gradient"
HINT = "changed an argument"


def weight_gradient(W, x, y):
    y -= softmax(W @ x)
    return -np.outer(y, x)
