"""Clips every gradient at 20."""

CAUGHT_BY = "test_backward"
HINT = "nothing is cut off"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradients = {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
    return {name: np.clip(g, -20, 20) for name, g in gradients.items()}
