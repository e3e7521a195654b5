"""One grid and a parabola through the lowest points: right where the valley is round."""

CAUGHT_BY = "test_best_by_search"
HINT = "one side fifty times as steep"


def best_by_search(loss, flops):
    x = np.linspace(3, 16, 400)
    y = loss(10**x, flops / 6 / 10**x)
    i = min(max(1, int(np.argmin(y))), 398)
    left, here, right = y[i - 1], y[i], y[i + 1]
    best = 10 ** (x[i] + (left - right) / (left - 2 * here + right) / 2 * (x[1] - x[0]))
    return best, flops / 6 / best
