"""Never shuffles."""

CAUGHT_BY = "test_batches"
HINT = "shuffle them"


def batches(n_examples, batch_size, rng):
    order = np.arange(n_examples)
    return [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
