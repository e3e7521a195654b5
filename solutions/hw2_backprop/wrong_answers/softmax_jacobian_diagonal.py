"""As if each output depended on its own score alone (a logistic function)."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "only the diagonal"


def softmax_jacobian(y_hat):
    return np.diag(y_hat * (1 - y_hat))
