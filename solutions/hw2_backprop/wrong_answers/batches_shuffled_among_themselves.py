"""Shuffles the batches, not the examples."""

CAUGHT_BY = "test_batches"
HINT = "same chance to come first"


def batches(n_examples, batch_size, rng):
    order = np.arange(n_examples)
    parts = [order[i : i + batch_size] for i in range(0, n_examples, batch_size)]
    last = parts.pop() if len(parts[-1]) < batch_size else None
    rng.shuffle(parts)
    parts = [part[::-1] for part in parts]
    return parts if last is None else [*parts, last]
