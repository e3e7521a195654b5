"""Gives ŷ − y, the gradient for the scores."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "the gradient for the scores z"


def loss_jacobian(y_hat, y):
    return (y_hat - y)[None]
