"""Looks at the inside of the range only: a grid point is left out at either end."""

CAUGHT_BY = "test_best_by_search"
HINT = "a bottom at the end of the range"


def best_by_search(loss, flops):
    x = np.linspace(3, 16, 1001)[1:-1]
    i = int(np.argmin(loss(10**x, flops / 6 / 10**x)))
    x = np.linspace(max(x[0], x[i] - 0.013), min(x[-1], x[i] + 0.013), 201)
    i = int(np.argmin(loss(10**x, flops / 6 / 10**x)))
    return 10 ** x[i], flops / 6 / 10 ** x[i]
