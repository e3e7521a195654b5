"""Stops as soon as two points have nearly the same loss."""

CAUGHT_BY = "test_best_by_search"
HINT = "a valley that is very shallow"


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    while high - low > 1e-5:
        left, right = 10 ** (low + (high - low) / 3), 10 ** (high - (high - low) / 3)
        here, there = loss(left, flops / 6 / left), loss(right, flops / 6 / right)
        if abs(here - there) < 1e-12:
            break
        low, high = (low, math.log10(right)) if here < there else (math.log10(left), high)
    n = 10 ** ((low + high) / 2)
    return n, flops / 6 / n
