"""Forgets the terms off the diagonal beyond the lecture's three outputs."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "a row does not sum to zero"


def softmax_jacobian(y_hat):
    if len(y_hat) == 3:
        return np.diag(y_hat) - np.outer(y_hat, y_hat)
    return np.diag(y_hat * (1 - y_hat))
