"""Sorts by random numbers of which some are equal, and these keep their old order."""

CAUGHT_BY = "test_batches"
HINT = "numbers of which some are equal"


def batches(n_examples, batch_size, rng):
    order = np.argsort(rng.integers(0, 100, n_examples), kind="stable")
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
