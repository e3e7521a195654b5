"""No gradient for an example that is nearly certain."""

CAUGHT_BY = "test_backward"
HINT = "still has a gradient"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    sure = dz[np.arange(len(X)), targets] > 0.9999
    dz[np.arange(len(X)), targets] -= 1
    dz[sure] = 0
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradients = {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
    return gradients
