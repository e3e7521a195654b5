"""Takes the largest absolute value off, so that scores far below zero all become 0."""

CAUGHT_BY = "test_weight_gradient"
HINT = "also where it is below zero"


def weight_gradient(W, x, y):
    z = W @ x
    with np.errstate(all="ignore"):
        e = np.exp(z - np.abs(z).max())
        return np.outer(e / e.sum() - y, x)
