"""Keeps what a run costs, and forgets that the price may change."""

CAUGHT_BY = "test_run_cost"
HINT = "wrong if only price is another"

known = {}


def run_cost(flops, n_devices, peak, utilisation, price):
    run = flops, n_devices, peak, utilisation
    if run not in known:
        hours = flops / (n_devices * peak * utilisation) / 3600
        known[run] = hours / 24, hours * n_devices * price
    return known[run]
