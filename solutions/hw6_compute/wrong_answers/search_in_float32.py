"""Keeps the losses in 32 bits."""

CAUGHT_BY = "test_best_by_search"
HINT = "no digit of the loss may get lost"


def best_by_search(loss, flops):
    n = np.logspace(3, 16, 2999)
    losses = np.asarray(loss(n, flops / 6 / n), dtype=np.float32)
    best = n[np.argmin(losses)]
    return best, flops / 6 / best
