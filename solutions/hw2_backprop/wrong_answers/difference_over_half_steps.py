"""Goes half a step to each side, so that the two points lie one step apart."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "the central difference of t³ at 1 is 3.01"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.empty(theta.shape)
    for at in np.ndindex(theta.shape):
        above, below = theta.astype(float), theta.astype(float)
        above[at] += step / 2
        below[at] -= step / 2
        gradient[at] = (f(above) - f(below)) / step
    return gradient
