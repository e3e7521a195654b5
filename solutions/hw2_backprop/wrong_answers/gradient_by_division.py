"""Multiplies the Jacobians, and 0 · ∞ is NaN where a probability is 0."""

CAUGHT_BY = "test_weight_gradient"
HINT = "do not divide by a probability of 0"


def weight_gradient(W, x, y):
    y_hat = softmax(W @ x)
    row = (-y / y_hat)[None] @ (np.diag(y_hat) - np.outer(y_hat, y_hat)) @ np.kron(np.eye(len(y)), x)
    return row.reshape(W.shape)
