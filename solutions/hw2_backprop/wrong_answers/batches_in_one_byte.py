"""Indices of eight bits, which hold no more than 256 examples."""

CAUGHT_BY = "test_batches"
HINT = "not every index once for N = 300"


def batches(n_examples, batch_size, rng):
    i = rng.permutation(n_examples).astype(np.uint8)
    return [i[s : s + batch_size] for s in range(0, n_examples, batch_size)]
