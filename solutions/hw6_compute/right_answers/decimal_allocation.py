"""N and D as Decimals."""

from decimal import Decimal


def best_allocation(flops, law):
    a, b, A, B = (Decimal(law[k]) for k in ("alpha", "beta", "A", "B"))
    c = Decimal(flops) / 6
    n = (a * A / (b * B) * c**b) ** (1 / (a + b))
    return n, c / n
