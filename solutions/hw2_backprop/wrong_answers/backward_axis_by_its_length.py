"""Looks for the axis to keep by its length, and finds the batch's where both are alike."""

CAUGHT_BY = "test_backward"
HINT = "b1 is wrong for"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradients = {
        "W1": da.T @ X,
        "b1": da.sum(axis=da.shape.index(len(parameters["b1"])) ^ 1),
        "W2": dz.T @ h,
        "b2": dz.sum(axis=0),
    }
    return gradients
