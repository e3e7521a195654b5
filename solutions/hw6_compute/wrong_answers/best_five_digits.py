"""Rounds N to five significant digits."""

CAUGHT_BY = "test_best_allocation"
HINT = "more than one part in 100 000"


def best_allocation(flops, law):
    a, b = law["alpha"], law["beta"]
    n = (a * law["A"] / (b * law["B"])) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))
    n = float(f"{n:.5g}")
    return n, flops / 6 / n
