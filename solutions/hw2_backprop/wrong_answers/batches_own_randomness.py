"""Makes a generator of its own from a fixed seed."""

CAUGHT_BY = "test_batches"
HINT = "shuffle anew each time"


def batches(n_examples, batch_size, rng):
    order = np.random.default_rng(0).permutation(n_examples)
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
