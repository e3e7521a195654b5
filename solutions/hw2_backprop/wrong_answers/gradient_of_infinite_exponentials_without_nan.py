"""A softmax of its own that takes no score off, and puts 0 where it comes out as NaN."""

CAUGHT_BY = "test_weight_gradient"
HINT = "take the largest score off first"


def weight_gradient(W, x, y):
    with np.errstate(all="ignore"):
        e = np.exp(W @ x)
        return np.outer(np.nan_to_num(e / e.sum()) - y, x)
