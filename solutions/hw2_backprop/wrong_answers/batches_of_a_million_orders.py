"""Seeds a generator of its own from rng with one of a million numbers."""

CAUGHT_BY = "test_batches"
HINT = "takes int(rng.integers(2**63))"


def batches(n_examples, batch_size, rng):
    order = np.random.default_rng(int(rng.integers(10**6))).permutation(n_examples)
    return [order[start : start + batch_size] for start in range(0, n_examples, batch_size)]
