"""Draws each batch anew from all examples."""

CAUGHT_BY = "test_batches"
HINT = "comes twice in one epoch"


def batches(n_examples, batch_size, rng):
    n_batches = -(-n_examples // batch_size)
    return [rng.integers(0, n_examples, size=min(batch_size, n_examples - i * batch_size)) for i in range(n_batches)]
