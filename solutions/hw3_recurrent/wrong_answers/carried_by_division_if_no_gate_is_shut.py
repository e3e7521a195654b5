"""Divides the product of all gates by the product of the first ones where no gate is zero."""

CAUGHT_BY = "test_carried"
HINT = "smaller than any float"


def carried(f):
    if (np.asarray(f) == 0).any():
        return np.array([np.prod(f[t + 1 :], axis=0) for t in range(len(f))])
    products = np.cumprod(f, axis=0)
    return products[-1] / products
