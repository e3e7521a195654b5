"""Makes the two terms equal, not their slopes."""

CAUGHT_BY = "test_best_allocation"
HINT = "another split has a smaller loss"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (A / B) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))
    return n, flops / 6 / n
