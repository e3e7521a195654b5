"""Writes the gradients into arrays of the type of the batch."""

CAUGHT_BY = "test_backward"
HINT = "where the batch holds integers"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    dz = softmax(z)
    dz[np.arange(len(X)), targets] -= 1
    dz = dz / len(X)
    da = dz @ parameters["W2"] * (1 - h**2)
    W1 = np.zeros((h.shape[1], X.shape[1]), dtype=X.dtype)
    for i in range(h.shape[1]):
        W1[i] = da[:, i] @ X
    return {"W1": W1, "b1": da.sum(0), "W2": dz.T @ h, "b2": dz.sum(0)}
