"""Rents for whole days."""

CAUGHT_BY = "test_run_cost"
HINT = "not rounded to whole days"


def run_cost(flops, n_devices, peak, utilisation, price):
    days = math.ceil(flops / (n_devices * peak * utilisation) / 86400)
    return days, days * 24 * n_devices * price
