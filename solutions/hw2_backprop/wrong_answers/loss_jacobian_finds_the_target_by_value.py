"""Takes the target's probability and then the outputs that have it: with ties there are several."""

CAUGHT_BY = "test_loss_jacobian"
HINT = "three equal probabilities"


def loss_jacobian(y_hat, y):
    of_target = y_hat @ y
    return np.where(y_hat == of_target, -1 / of_target, 0.0)[None]
