"""Takes ND for the budget."""

CAUGHT_BY = "test_best_by_search"
HINT = "it should be 6 N D"


def best_by_search(loss, flops):
    n = np.logspace(3, 16, 4001)
    best = n[np.argmin(loss(n, flops / n))]
    return best, flops / best
