"""Takes two points of exactly the same loss for the bottom and returns the left one."""

CAUGHT_BY = "test_best_by_search"
HINT = "a round valley in the middle of the range"


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    while high - low > 1e-4:
        a, b = low + (high - low) / 3, high - (high - low) / 3
        here, there = loss(10**a, flops / 6 / 10**a), loss(10**b, flops / 6 / 10**b)
        if here == there:
            low = high = a
        elif here < there:
            high = b
        else:
            low = a
    return 10**low, flops / 6 / 10**low
