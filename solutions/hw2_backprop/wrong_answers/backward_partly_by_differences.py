"""W1 by going backwards, and all others by small differences."""

CAUGHT_BY = "test_backward"
HINT = "lost in rounding"


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
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    da = (dz / len(X) @ parameters["W2"]) * (1 - h**2)

    def loss(name, value):
        return nll(forward(parameters | {name: value}, X)[1], targets)

    others = [name for name in parameters if name != "W1"]
    found = {name: by_differences(lambda value, name=name: loss(name, value), parameters[name]) for name in others}
    return found | {"W1": da.T @ X}
