"""alpha where beta belongs."""

CAUGHT_BY = "test_best_allocation"
HINT = "yours grows with alpha/(alpha + beta)"


def best_allocation(flops, law):
    a, b, A, B = (law[key] for key in ("alpha", "beta", "A", "B"))
    n = (a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** (a / (a + b))
    return n, flops / 6 / n
