"""Seeds a generator of its own from rng, with 16 bits: 65536 orders."""

CAUGHT_BY = "test_batches"
HINT = "there are only a few orders"


def batches(n_examples, batch_size, rng):
    order = np.random.default_rng(int(rng.integers(2**16))).permutation(n_examples)
    return [order[start : start + batch_size] for start in range(0, n_examples, batch_size)]
