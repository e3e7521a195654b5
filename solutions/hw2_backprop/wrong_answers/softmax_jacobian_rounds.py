"""Rounds to six decimals, for a tidy matrix."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "small slopes"


def softmax_jacobian(y_hat):
    return np.round(np.diag(y_hat) - np.outer(y_hat, y_hat), 6)
