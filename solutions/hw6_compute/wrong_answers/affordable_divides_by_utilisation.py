"""Thinks that idle devices compute more."""

CAUGHT_BY = "test_affordable_flops"
HINT = "multiply by it"


def affordable_flops(dollars, peak, utilisation, price):
    return dollars / price * 3600 * peak / utilisation
