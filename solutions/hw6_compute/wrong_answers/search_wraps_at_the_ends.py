"""Refines between the neighbours of the best point; beside the first point that is x[-1], the last one, beside the last an IndexError."""

CAUGHT_BY = "test_best_by_search"
HINT = "IndexError"


def best_by_search(loss, flops):
    low, high = 3, 16
    for _ in range(2):
        x = np.linspace(low, high, 1001)
        y = loss(10**x, flops / 6 / 10**x)
        i = int(np.argmin(y))
        low, high = x[i - 1], x[i + 1]
    return 10 ** x[i], flops / 6 / 10 ** x[i]
