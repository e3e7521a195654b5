"""Never divides by less than 1e-15."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "a slope of -1e30"


def loss_jacobian(y_hat, y):
    return (-y / np.clip(y_hat, 1e-15, 1))[None]
