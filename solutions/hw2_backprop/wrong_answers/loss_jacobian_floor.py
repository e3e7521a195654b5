"""Never divides by less than 1e-6."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "nothing added or cut off"


def loss_jacobian(y_hat, y):
    return (-y / np.maximum(y_hat, 1e-6))[None]
