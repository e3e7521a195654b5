"""Pays for whole seconds."""

CAUGHT_BY = "test_run_cost"
HINT = "nor the time to whole seconds"


def run_cost(flops, n_devices, peak, utilisation, price):
    seconds = math.ceil(flops / (n_devices * peak * utilisation))
    return seconds / 86400, seconds / 3600 * n_devices * price
