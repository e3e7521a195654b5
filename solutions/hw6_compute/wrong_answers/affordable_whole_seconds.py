"""Pays for whole seconds only."""

CAUGHT_BY = "test_affordable_flops"
HINT = "parts of a second count"


def affordable_flops(dollars, peak, utilisation, price):
    return dollars * 3600 // price * peak * utilisation
