"""Divides by ε where the points are 2ε apart."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "twice too large"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.zeros(theta.shape)
    for at in np.ndindex(theta.shape):
        above, below = theta.copy(), theta.copy()
        above[at] += step
        below[at] -= step
        gradient[at] = (f(above) - f(below)) / step
    return gradient
