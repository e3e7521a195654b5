"""Takes the peak for what is reached."""

CAUGHT_BY = "test_run_cost"
HINT = "do not reach their peak"


def run_cost(flops, n_devices, peak, utilisation, price):
    hours = flops / (n_devices * peak) / 3600
    return hours / 24, hours * n_devices * price
