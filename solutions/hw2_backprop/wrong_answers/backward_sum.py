"""Forgets that the loss is the mean."""

CAUGHT_BY = "test_backward"
HINT = "four times too large"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz = dz * 1.0
    da = (dz @ parameters["W2"]) * (1 - h**2)
    return {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
