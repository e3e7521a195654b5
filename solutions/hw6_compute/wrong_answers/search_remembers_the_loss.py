"""Keeps the best size for each loss, whatever the budget."""

CAUGHT_BY = "test_best_by_search"
HINT = "wrong if only flops is another"

known = {}


def best_by_search(loss, flops):
    if loss not in known:
        low, high = 3, 16
        for _ in range(50):
            third = (high - low) / 3
            left, right = 10 ** (low + third), 10 ** (high - third)
            if loss(left, flops / 6 / left) < loss(right, flops / 6 / right):
                high -= third
            else:
                low += third
        known[loss] = 10**low
    return known[loss], flops / 6 / known[loss]
