"""Searches in steps that shrink, from the middle of the range; caches what it has asked."""

from functools import cache


def best_by_search(loss, flops):
    @cache
    def at(power):
        return float(loss(10.0**power, flops / 6 / 10.0**power))

    here, step = 9.5, 3.25
    while step > 1e-4:
        left, right = max(3.0, here - step), min(16.0, here + step)
        here = min((here, left, right), key=at)
        step = step if here in (left, right) and here not in (3.0, 16.0) and step < 0.01 else step / 2
    return 10.0**here, flops / 6 / 10.0**here


def run_cost(flops, n_devices, peak, utilisation, price):
    dollars = flops / (peak * utilisation * 60 * 60) * price
    return dollars / price / n_devices / 24, dollars


def affordable_flops(dollars, peak, utilisation, price):
    hour = peak * utilisation * 60 * 60
    return hour * (dollars / price)


def attention_flops(shape, length, clever):
    products = 2 if not clever else 1 + 1 / length
    return products * length * length * 2 * shape["n_layers"] * shape["n_heads"] * shape["d_head"]
