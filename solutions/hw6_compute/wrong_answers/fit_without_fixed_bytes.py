"""Forgets what is there already."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "take their part of the memory first"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return memory_gib * 2**30 // bytes_per_sequence
