"""Rounds to whole parameters and whole tokens, and then cuts to millions."""

CAUGHT_BY = "test_best_allocation"
HINT = "the budget"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))
    return max(1e6, round(n, -6)), max(1e6, round(flops / 6 / n, -6))
