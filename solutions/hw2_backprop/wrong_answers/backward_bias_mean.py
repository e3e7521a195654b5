"""Averages the bias over the batch once more."""

CAUGHT_BY = "test_backward"
HINT = "b1"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    return {"W1": da.T @ X, "b1": da.mean(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
