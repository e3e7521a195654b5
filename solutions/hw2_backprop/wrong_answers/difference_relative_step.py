"""A larger step for a larger component."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "however large"


def numerical_gradient(f, theta, step=1e-5):
    g = np.zeros(theta.shape)
    for i in np.ndindex(theta.shape):
        e = np.zeros(theta.shape)
        e[i] = step * max(1, abs(theta[i]))
        g[i] = (f(theta + e) - f(theta - e)) / (2 * e[i])
    return g
