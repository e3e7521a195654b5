"""Divides by 4, the size of the visible batch."""

CAUGHT_BY = "test_backward"
HINT = "is wrong for B, D, H, K"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz /= 4
    da = (dz @ parameters["W2"]) * (1 - h**2)
    return {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
