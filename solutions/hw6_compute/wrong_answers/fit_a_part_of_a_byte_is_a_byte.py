"""Rounds the memory up to whole bytes."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "one byte more than the whole ones"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, (math.ceil(memory_gib * 2**30) - fixed_bytes) // bytes_per_sequence)
