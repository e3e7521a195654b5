"""Rounds to whole parameters and whole tokens."""

CAUGHT_BY = "test_best_allocation"
HINT = "not rounded"


def best_allocation(flops, law):
    a, b = law["alpha"], law["beta"]
    n = (a * law["A"] / (b * law["B"]) * (flops / 6) ** b) ** (1 / (a + b))
    return round(n), round(flops / 6 / n)
