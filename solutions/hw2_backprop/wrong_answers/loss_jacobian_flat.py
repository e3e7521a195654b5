"""A vector instead of a row."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "one row, one column"


def loss_jacobian(y_hat, y):
    return -y / y_hat
