"""Does not shuffle where one batch holds all examples."""

CAUGHT_BY = "test_batches"
HINT = "N = 5, m = 100"


def batches(n_examples, batch_size, rng):
    order = np.arange(n_examples)
    if batch_size < n_examples:
        rng.shuffle(order)
    return [order[start : start + batch_size] for start in range(0, n_examples, batch_size)]
