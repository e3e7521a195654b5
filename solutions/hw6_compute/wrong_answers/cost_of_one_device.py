"""Pays for one device."""

CAUGHT_BY = "test_run_cost"
HINT = "all ten devices cost"


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / (n_devices * peak * utilisation) / 3600
    return hours / 24, hours * price
