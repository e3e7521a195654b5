"""Rounds the noise of rounding away, to fourteen decimals."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "none is raised, cut off or rounded"


def softmax_jacobian(y_hat):
    return np.round(np.diag(y_hat) - np.outer(y_hat, y_hat), 14)
