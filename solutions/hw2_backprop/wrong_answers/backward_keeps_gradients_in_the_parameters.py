"""Keeps the gradients of scores and sums where the parameters are."""

CAUGHT_BY = "test_backward"
HINT = "put something into the dictionary"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    parameters["dz"], parameters["da"] = dz, da
    return {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
