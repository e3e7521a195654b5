"""The reciprocal of G."""

CAUGHT_BY = "test_best_allocation"
HINT = "is G upside down"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (b * B / (a * A)) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))
    return n, flops / 6 / n
