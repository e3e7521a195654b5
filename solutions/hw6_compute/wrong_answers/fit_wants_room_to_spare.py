"""What fits exactly does not fit."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "what fits exactly, fits"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, (memory_gib * 2**30 - fixed_bytes - 1) // bytes_per_sequence)
