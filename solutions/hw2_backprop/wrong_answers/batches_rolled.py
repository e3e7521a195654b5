"""Begins somewhere and goes round, in the old order."""

CAUGHT_BY = "test_batches"
HINT = "each order is equally likely"


def batches(n_examples, batch_size, rng):
    order = np.roll(np.arange(n_examples), rng.integers(n_examples))
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
