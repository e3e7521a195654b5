"""Gives nothing where the batch is larger than the data."""

CAUGHT_BY = "test_batches"
HINT = "not every index once for N = 5, m = 100"


def batches(n_examples, batch_size, rng):
    order = rng.permutation(n_examples)
    if batch_size > n_examples:
        return []
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
