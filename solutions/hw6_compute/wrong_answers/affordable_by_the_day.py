"""Takes the price for one of a day."""

CAUGHT_BY = "test_affordable_flops"
HINT = "the price is for an hour, not for a day"


def affordable_flops(dollars, peak, utilisation, price):
    return dollars / price * 86400 * peak * utilisation
