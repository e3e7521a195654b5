"""Makes the result of the type of y."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "wrong where y holds integers"


def loss_jacobian(y_hat, y):
    out = np.zeros((1, len(y)), dtype=y.dtype)
    out[0] = -y / y_hat
    return out
