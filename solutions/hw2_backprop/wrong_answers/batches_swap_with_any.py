"""Swaps each place with any other instead of one that is still to come."""

CAUGHT_BY = "test_batches"
HINT = "of 24 orders came"


def batches(n_examples, batch_size, rng):
    order = np.arange(n_examples)
    for i in range(n_examples):
        j = rng.integers(n_examples)
        order[[i, j]] = order[[j, i]]
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
