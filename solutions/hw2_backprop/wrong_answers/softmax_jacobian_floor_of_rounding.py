"""Clips the probabilities at 1e-15, as one does before a logarithm."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "probabilities of 1e-20"


def softmax_jacobian(y_hat):
    y_hat = np.clip(y_hat, 1e-15, 1)
    return np.diag(y_hat) - np.outer(y_hat, y_hat)
