"""Sets to 0 what is below 1e-8 off the diagonal."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "off the diagonal, too, nothing is cut off"


def softmax_jacobian(y_hat):
    J = -np.outer(y_hat, y_hat)
    J[J > -1e-8] = 0
    np.fill_diagonal(J, y_hat * (1 - y_hat))
    return J
