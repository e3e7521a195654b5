"""Adds 1e-8 under the fraction, as some code does against division by zero."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "nothing added or cut off"


def loss_jacobian(y_hat, y):
    return (-y / (y_hat + 1e-8))[None]
