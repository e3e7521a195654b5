"""Returns hours for days."""

CAUGHT_BY = "test_run_cost"
HINT = "these are hours; asked for are days"


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / (n_devices * peak * utilisation) / 3600
    return hours, hours * n_devices * price
