"""Says how many are too many."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "the fixed bytes alone are too many"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return (memory_gib * 2**30 - fixed_bytes) // bytes_per_sequence
