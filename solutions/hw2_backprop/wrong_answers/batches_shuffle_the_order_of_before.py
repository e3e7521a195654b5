"""Keeps the order of the call before, and shuffles that."""

CAUGHT_BY = "test_batches"
HINT = "not the order of the call before"

_orders = {}


def batches(n_examples, batch_size, rng):
    order = _orders.setdefault(n_examples, np.arange(n_examples))
    rng.shuffle(order)
    return [order[start : start + batch_size].copy() for start in range(0, n_examples, batch_size)]
