"""Asks for the loss at thousands of points."""

CAUGHT_BY = "test_best_by_search"
HINT = "calls of loss"


def best_by_search(loss, flops):
    best = min((loss(10 ** (3 + 13 * i / 4000), flops / 6 / 10 ** (3 + 13 * i / 4000)), i) for i in range(4001))[1]
    n = 10 ** (3 + 13 * best / 4000)
    return n, flops / 6 / n
