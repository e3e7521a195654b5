"""By small differences instead of going backwards."""

CAUGHT_BY = "test_backward"
HINT = "found by going backwards"


def by_differences(f, theta):
    gradient = np.zeros(np.shape(theta))
    for at in np.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = np.array(theta, dtype=float)
            moved[at] += sign * 1e-6
            sides.append(f(moved))
        gradient[at] = (sides[0] - sides[1]) / 2e-6
    return gradient


def backward(parameters, X, targets):
    def loss(name, value):
        return nll(forward(parameters | {name: value}, X)[1], targets)

    return {name: by_differences(lambda value, name=name: loss(name, value), parameters[name]) for name in parameters}
