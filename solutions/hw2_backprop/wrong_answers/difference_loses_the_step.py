"""Goes through a matrix row by row, and forgets to hand the step on."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "a matrix with a step of"


def numerical_gradient(f, theta, step=1e-5):
    if theta.ndim == 2:

        def with_row(i):
            return lambda row: f(np.vstack([theta[:i], row[None], theta[i + 1 :]]))

        return np.array([numerical_gradient(with_row(i), row) for i, row in enumerate(theta)])
    nudges = step * np.eye(len(theta))
    return np.array([(f(theta + e) - f(theta - e)) / (2 * step) for e in nudges])
