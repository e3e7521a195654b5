"""Sorts by whole random numbers, of which many are equal."""

CAUGHT_BY = "test_batches"
HINT = "each order is equally likely"


def batches(n_examples, batch_size, rng):
    order = np.argsort(rng.integers(0, n_examples, size=n_examples), kind="stable")
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
