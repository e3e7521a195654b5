"""Searches N between 10^3 and 10^16, as in 6.3."""

CAUGHT_BY = "test_best_allocation"
HINT = "however small or large the budget"


def best_allocation(flops, law):
    def term(key, exponent, x):
        return law[key] * 10 ** (-law[exponent] * x)

    low, high = 3.0, 16.0
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        here, there = (term("A", "alpha", x) + term("B", "beta", math.log10(flops / 6) - x) for x in (a, b))
        low, high = (low, b) if here < there else (a, high)
    return 10**low, flops / 6 / 10**low
