"""Rounds the bill to cents."""

CAUGHT_BY = "test_run_cost"
HINT = "not rounded to cents"


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / (n_devices * peak * utilisation) / 3600
    return hours / 24, round(hours * n_devices * price, 2)
