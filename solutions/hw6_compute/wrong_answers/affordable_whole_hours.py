"""Buys whole hours only."""

CAUGHT_BY = "test_affordable_flops"
HINT = "1800 seconds"


def affordable_flops(dollars, peak, utilisation, price):
    return dollars // price * 3600 * peak * utilisation
