"""Finds N, and then goes by the rule of thumb of twenty tokens for each parameter."""

CAUGHT_BY = "test_best_by_search"
HINT = "all of it is spent, and no more"


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    for _ in range(100):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if loss(10**left, flops / 6 / 10**left) < loss(10**right, flops / 6 / 10**right):
            high = right
        else:
            low = left
    return 10**low, 20 * 10**low
