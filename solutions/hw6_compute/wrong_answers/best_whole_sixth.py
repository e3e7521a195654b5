"""Divides the budget by six in whole numbers."""

CAUGHT_BY = "test_best_allocation"
HINT = "for 100 operations, not rounded"


def best_allocation(flops, law):
    alpha, beta = law["alpha"], law["beta"]
    product = flops // 6
    n = (alpha * law["A"] / (beta * law["B"])) ** (1 / (alpha + beta)) * product ** (beta / (alpha + beta))
    return n, product / n
