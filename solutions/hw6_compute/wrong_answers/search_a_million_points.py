"""Asks for the loss of a million points at once, more than the statement allows."""

CAUGHT_BY = "test_best_by_search"
HINT = "up to 100 000 numbers"


def best_by_search(loss, flops):
    n = np.logspace(3, 16, 1_000_000)
    i = np.argmin(loss(n, flops / 6 / n))
    return n[i], flops / 6 / n[i]
