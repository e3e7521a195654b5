"""Stops the golden-section search while the bottom may still be nearly two percent away."""

CAUGHT_BY = "test_best_by_search"
HINT = "the bottom lies at"


def best_by_search(loss, flops):
    low, high = 3, 16  # powers of ten
    for _ in range(14):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        if loss(10**left, flops / 6 / 10**left) <= loss(10**right, flops / 6 / 10**right):
            high = right
        else:
            low = left
    n = 10 ** ((low + high) / 2)
    return n, flops / 6 / n
