"""Forgets the minus."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "wrong sign"


def loss_jacobian(y_hat, y):
    return (y / y_hat)[None]
