"""Divides rows by their largest entry."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "the diagonal, i = j"


def softmax_jacobian(y_hat):
    J = np.diag(y_hat) - np.outer(y_hat, y_hat)
    return J / np.abs(J).max()
