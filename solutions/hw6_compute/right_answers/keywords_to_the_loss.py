"""Calls the loss by the names that the statement gives its arguments."""


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    for _ in range(80):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        here, there = (loss(n_parameters=10**x, n_tokens=flops / 6 / 10**x) for x in (a, b))
        low, high = (low, b) if here < there else (a, high)
    return 10**low, flops / 6 / 10**low
