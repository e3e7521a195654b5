"""Keeps probabilities below 0.999."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "a probability of 1 of the target"


def loss_jacobian(y_hat, y):
    return (-y / np.clip(y_hat, 0, 1 - 1e-3))[None]
