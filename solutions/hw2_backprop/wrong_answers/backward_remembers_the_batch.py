"""Keeps the gradients of a batch, whatever the parameters are by then."""

CAUGHT_BY = "test_backward"
HINT = "is another than in the call before"

_seen = {}


def backward(parameters, X, targets):
    key = X.tobytes(), targets.tobytes()
    if key not in _seen:
        h, z = forward(parameters, X)
        dz = softmax(z)
        dz[np.arange(len(X)), targets] -= 1
        dz /= len(X)
        da = (dz @ parameters["W2"]) * (1 - h**2)
        _seen[key] = {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
    return _seen[key]
