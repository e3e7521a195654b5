"""Wrong sign off the diagonal."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "wrong sign off the diagonal"


def softmax_jacobian(y_hat):
    return np.outer(y_hat, y_hat) + np.diag(y_hat - 2 * y_hat**2)
