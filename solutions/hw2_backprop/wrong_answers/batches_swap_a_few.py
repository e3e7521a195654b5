"""Exchanges three pairs and calls it shuffled."""

CAUGHT_BY = "test_batches"
HINT = "near their old place"


def batches(n_examples, batch_size, rng):
    i = np.arange(n_examples)
    for _ in range(3):
        a, b = rng.integers(n_examples, size=2)
        i[[a, b]] = i[[b, a]]
    return [i[s : s + batch_size] for s in range(0, n_examples, batch_size)]
