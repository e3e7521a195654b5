"""Multiplies the Jacobians and puts 0 where 0 · ∞ is NaN: a target of probability 0 gets no gradient."""

CAUGHT_BY = "test_weight_gradient"
HINT = "nor put 0 for NaN"


def weight_gradient(W, x, y):
    y_hat = softmax(W @ x)
    row = np.nan_to_num(-y / y_hat, posinf=0, neginf=0) @ (np.diag(y_hat) - np.outer(y_hat, y_hat))
    return np.outer(row, x)
