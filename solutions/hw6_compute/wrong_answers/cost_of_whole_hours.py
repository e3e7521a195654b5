"""Pays for every hour begun."""

CAUGHT_BY = "test_run_cost"
HINT = "a quarter of an hour costs a quarter"


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / (n_devices * peak * utilisation) / 3600
    return hours / 24, math.ceil(hours) * n_devices * price
