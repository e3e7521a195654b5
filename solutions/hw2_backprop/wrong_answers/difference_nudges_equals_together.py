"""Finds the component to nudge by its value."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "nudge one component at a time, also where two are equal"


def numerical_gradient(f, theta, step=1e-5):
    g = np.zeros(theta.shape)
    for i in np.ndindex(theta.shape):
        e = (theta == theta[i]) * step
        g[i] = (f(theta + e) - f(theta - e)) / (2 * step)
    return g
