"""Looks at sizes of today only."""

CAUGHT_BY = "test_best_by_search"
HINT = "a bottom at the end of the range"


def best_by_search(loss, flops):
    n = np.logspace(7, 13, 4001)
    best = n[np.argmin(loss(n, flops / 6 / n))]
    return best, flops / 6 / best
