"""Lets N and D grow alike, whatever the exponents."""

CAUGHT_BY = "test_best_allocation"
HINT = "only if alpha = beta"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** 0.5
    return n, flops / 6 / n
