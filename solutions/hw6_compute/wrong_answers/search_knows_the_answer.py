"""Returns the answer of the visible examples’ kind: equal exponents."""

CAUGHT_BY = "test_best_by_search"
HINT = "alpha 0.5, beta 0.25"


def best_by_search(loss, flops):
    n, d = (flops / 6) ** 0.5, (flops / 6) ** 0.5
    ratio = (loss(n, 1e300) - loss(1e300, 1e300)) / (loss(1e300, d) - loss(1e300, 1e300))
    n *= ratio ** (1 / 0.6)
    return n, flops / 6 / n
