"""Takes the price for one of a day."""

CAUGHT_BY = "test_run_cost"
HINT = "for an hour, not for a day"


def run_cost(flops, n_devices, peak, utilisation, price):
    days = flops / (n_devices * peak * utilisation) / 86400
    return days, days * n_devices * price
