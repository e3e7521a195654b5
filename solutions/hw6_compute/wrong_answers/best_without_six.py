"""Takes ND for the budget."""

CAUGHT_BY = "test_best_allocation"
HINT = "it should be 6 N D"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (a * A / (b * B)) ** (1 / (a + b)) * flops ** (b / (a + b))
    return n, flops / n
