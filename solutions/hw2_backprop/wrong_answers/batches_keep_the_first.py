"""Shuffles from the second example on."""

CAUGHT_BY = "test_batches"
HINT = "same chance to come first"


def batches(n_examples, batch_size, rng):
    order = np.concatenate([[0], 1 + rng.permutation(n_examples - 1)])
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
