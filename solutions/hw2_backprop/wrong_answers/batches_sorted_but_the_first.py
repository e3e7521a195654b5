"""Sorts the examples of every batch but the first."""

CAUGHT_BY = "test_batches"
HINT = "of 24 orders came"


def batches(n_examples, batch_size, rng):
    order = rng.permutation(n_examples)
    got = [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
    return got[:1] + [np.sort(batch) for batch in got[1:]]
