"""Cuts into parts of about equal size."""

CAUGHT_BY = "test_batches"
HINT = "sizes 4, 4, 2"


def batches(n_examples, batch_size, rng):
    return np.array_split(rng.permutation(n_examples), -(-n_examples // batch_size))
