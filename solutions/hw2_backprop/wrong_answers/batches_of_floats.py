"""Indices that are no integers."""

CAUGHT_BY = "test_batches"
HINT = "indices are integers"


def batches(n_examples, batch_size, rng):
    i = rng.permutation(n_examples).astype(float)
    return [i[s : s + batch_size] for s in range(0, n_examples, batch_size)]
