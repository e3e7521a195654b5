"""Drops the last, smaller batch."""

CAUGHT_BY = "test_batches"
HINT = "two examples are left out"


def batches(n_examples, batch_size, rng):
    order = rng.permutation(n_examples)
    return [order[i : i + batch_size] for i in range(0, n_examples - batch_size + 1, batch_size)]
