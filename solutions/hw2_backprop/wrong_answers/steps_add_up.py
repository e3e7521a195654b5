"""Nudges one array further and further and never goes back."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "components work together"


def numerical_gradient(f, theta, step=1e-5):
    gradient, moving = np.zeros(theta.shape), theta.copy()
    for at in np.ndindex(theta.shape):
        moving[at] += step
        above = f(moving.copy())
        moving[at] -= 2 * step
        gradient[at] = (above - f(moving.copy())) / (2 * step)
    return gradient
