"""Rounds the memory to tenths of a GiB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "a memory may end in any fraction"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int((round(memory_gib, 1) * 2**30 - fixed_bytes) // bytes_per_sequence))
