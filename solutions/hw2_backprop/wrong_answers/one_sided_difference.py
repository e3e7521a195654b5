"""f(θ + ε) − f(θ): an error of order ε."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "a difference on one side only"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.zeros(theta.shape)
    for at in np.ndindex(theta.shape):
        moved = theta.astype(float)
        moved[at] += step
        gradient[at] = (f(moved) - f(theta.copy())) / step
    return gradient
