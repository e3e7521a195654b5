"""Subtracts the largest score of the whole batch, so that rows far below it underflow to 0/0."""

CAUGHT_BY = "test_backward"
HINT = "largest of each row, not of the batch"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    e = np.exp(z - z.max())
    dz = e / e.sum(axis=1, keepdims=True)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    return {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
