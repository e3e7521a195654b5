"""Twenty tokens for each parameter."""

CAUGHT_BY = "test_best_allocation"
HINT = "a rule of thumb"


def best_allocation(flops, law):
    n = (flops / 120) ** 0.5
    return n, 20 * n
