"""Subtracts from its argument."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "changed the array"


def softmax_jacobian(y_hat):
    J = np.diag(y_hat) - np.outer(y_hat, y_hat)
    y_hat *= 0
    return J
