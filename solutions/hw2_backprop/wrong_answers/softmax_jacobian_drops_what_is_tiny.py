"""Takes tiny probabilities for 0."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "small slopes"


def softmax_jacobian(y_hat):
    p = np.where(y_hat < 1e-6, 0, y_hat)
    return np.diag(p) - np.outer(p, p)
