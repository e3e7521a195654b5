"""Clips the scores at ±50 against the overflow, and large ones that differ become equal."""

CAUGHT_BY = "test_weight_gradient"
HINT = "scores 1000 and 999"


def weight_gradient(W, x, y):
    e = np.exp(np.clip(W @ x, -50, 50))
    return np.outer(e / e.sum() - y, x)
