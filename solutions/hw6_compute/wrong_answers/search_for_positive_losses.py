"""Squares the loss before it compares."""

CAUGHT_BY = "test_best_by_search"
HINT = "a loss that hangs on D only"


def best_by_search(loss, flops):
    n = np.logspace(3, 16, 4001)
    best = n[np.argmin(np.square(loss(n, flops / 6 / n)))]
    return best, flops / 6 / best
