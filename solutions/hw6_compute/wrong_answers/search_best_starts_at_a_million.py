"""Takes a million for more than any loss."""

CAUGHT_BY = "test_best_by_search"
HINT = "a loss of large numbers"


def best_by_search(loss, flops):
    least, best = 1e6, 1e10
    for log_n in np.linspace(3, 16, 2999).tolist():
        n = 10**log_n
        value = loss(n, flops / 6 / n)
        if value < least:
            least, best = value, n
    return best, flops / 6 / best
