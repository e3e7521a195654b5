"""Rounds the hours to a hundredth."""

CAUGHT_BY = "test_affordable_flops"
HINT = "parts of a second count"


def affordable_flops(dollars, peak, utilisation, price):
    return round(dollars / price, 2) * 3600 * peak * utilisation
