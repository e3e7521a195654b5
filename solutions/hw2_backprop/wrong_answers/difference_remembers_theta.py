"""Keeps the gradient at a place, whatever the function and the step."""

CAUGHT_BY = "test_numerical_gradient"
HINT = "is another than in the call before"

_seen = {}


def numerical_gradient(f, theta, step=1e-5):
    key = theta.tobytes()
    if key not in _seen:
        _seen[key] = np.empty(theta.shape)
        for at in np.ndindex(theta.shape):
            above, below = theta.copy(), theta.copy()
            above[at] += step
            below[at] -= step
            _seen[key][at] = (f(above) - f(below)) / (2 * step)
    return _seen[key]
