"""The formula of five points, which is more exact."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "the central difference of t³ at 1 is 3.01"


def numerical_gradient(f, theta, step=1e-5):
    gradient = np.empty(theta.shape)
    for at in np.ndindex(theta.shape):
        values = []
        for k in (1, -1, 2, -2):
            moved = theta.astype(float)
            moved[at] += k * step
            values.append(f(moved))
        gradient[at] = (8 * (values[0] - values[1]) - values[2] + values[3]) / (12 * step)
    return gradient
