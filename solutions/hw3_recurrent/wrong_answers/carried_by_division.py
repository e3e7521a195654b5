"""Divides the product of all gates by the product of the first ones."""

CAUGHT_BY = "test_carried"
HINT = "Do not divide by gates"


def carried(f):
    products = np.cumprod(f, axis=0)
    return products[-1] / products
