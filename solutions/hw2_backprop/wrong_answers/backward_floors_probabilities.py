"""Keeps probabilities away from 0 by 1e-15, as one does before a logarithm."""

CAUGHT_BY = "test_backward"
HINT = "a probability of e^-80"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = np.clip(softmax(z), 1e-15, 1)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    return {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
