"""Stops a golden-section search when the interval is two percent wide and takes its end."""

CAUGHT_BY = "test_best_by_search"
HINT = "the bottom lies at"


def best_by_search(loss, flops):
    low, high = math.log(1e3), math.log(1e16)

    def f(x):
        return loss(math.exp(x), flops / 6 / math.exp(x))

    while high - low > 0.02:
        a, b = low + 0.382 * (high - low), low + 0.618 * (high - low)
        if f(a) < f(b):
            high = b
        else:
            low = a
    n = math.exp(low)
    return n, flops / 6 / n
