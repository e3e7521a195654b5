"""Draws one of a hundred seeds, and with it one of a hundred orders."""

CAUGHT_BY = "test_batches"
HINT = "there are only a few orders"


def batches(n_examples, batch_size, rng):
    order = np.random.default_rng(int(rng.integers(100))).permutation(n_examples)
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
