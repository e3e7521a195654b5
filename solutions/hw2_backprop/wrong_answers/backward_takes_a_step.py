"""Moves the parameters while it is at it."""

CAUGHT_BY = "test_backward"
HINT = "takes no step"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradients = {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
    for name in gradients:
        parameters[name] = parameters[name] - 0.1 * gradients[name]
    return gradients
