"""Divides the range of N itself, not of its logarithm."""

CAUGHT_BY = "test_best_by_search"
HINT = "the bottom lies at"


def best_by_search(loss, flops):
    n = np.linspace(1e3, 1e16, 9001)
    best = n[np.argmin(loss(n, flops / 6 / n))]
    return best, flops / 6 / best
