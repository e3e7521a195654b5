"""By small differences, which are small only where the inputs are."""

CAUGHT_BY = "test_weight_gradient"
HINT = "small differences are no way here"


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


def weight_gradient(W, x, y):
    return by_differences(lambda moved: -math.log(max(softmax(moved @ x) @ y, 1e-300)), W)
