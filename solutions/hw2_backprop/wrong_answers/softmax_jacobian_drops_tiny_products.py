"""Takes products below the precision of a float for 0."""

CAUGHT_BY = "test_softmax_jacobian"
HINT = "off the diagonal -5e-21"


def softmax_jacobian(y_hat):
    products = np.outer(y_hat, y_hat)
    return np.diag(y_hat) - np.where(products < 1e-16, 0, products)
