"""Clips the scores at 500 instead of shifting them."""

CAUGHT_BY = "test_backward"
HINT = "scores near 1000 and 999"


def backward(parameters, X, targets):
    h, z = forward(parameters, X)
    e = np.exp(np.clip(z, -500, 500))
    dz = e / e.sum(axis=1, keepdims=True)
    dz[np.arange(len(X)), targets] -= 1
    dz /= len(X)
    da = (dz @ parameters["W2"]) * (1 - h**2)
    gradients = {"W1": da.T @ X, "b1": da.sum(axis=0), "W2": dz.T @ h, "b2": dz.sum(axis=0)}
    return gradients
