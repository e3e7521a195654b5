"""Uses a step of its own."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "with step 0.1"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.zeros(theta.shape)
    for at in np.ndindex(theta.shape):
        above, below = theta.copy(), theta.copy()
        above[at] += 1e-5
        below[at] -= 1e-5
        gradient[at] = (f(above) - f(below)) / 2e-5
    return gradient
