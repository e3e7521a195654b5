"""One grid of 200 points, and no finer one."""

CAUGHT_BY = "test_best_by_search"
HINT = "the bottom lies at"


def best_by_search(loss, flops):
    n = np.logspace(3, 16, 200)
    best = n[np.argmin(loss(n, flops / 6 / n))]
    return best, flops / 6 / best
