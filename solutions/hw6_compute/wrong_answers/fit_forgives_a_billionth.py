"""Adds a billionth before it cuts off, against rounding errors: one byte too much fits."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "by however little the fourth does not fit"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int((memory_gib * 2**30 - fixed_bytes) / bytes_per_sequence + 1e-9))
