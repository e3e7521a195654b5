"""Goes along the first axis only."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "a matrix of shape"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.zeros(len(theta))
    for i in range(len(theta)):
        above, below = theta.copy(), theta.copy()
        above[i] += step
        below[i] -= step
        gradient[i] = (f(above) - f(below)) / (2 * step)
    return gradient
