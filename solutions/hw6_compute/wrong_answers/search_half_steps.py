"""Refines only half a step to each side of the best grid point."""

CAUGHT_BY = "test_best_by_search"
HINT = "one side fifty times as steep"


def best_by_search(loss, flops):
    low, high = 3.0, 16.0
    for _ in range(4):
        x = np.linspace(low, high, 100)
        i = int(np.argmin(loss(10**x, flops / 6 / 10**x)))
        half = (x[1] - x[0]) / 2
        low, high = x[i] - half, x[i] + half
    n = 10 ** x[i]
    return n, flops / 6 / n
