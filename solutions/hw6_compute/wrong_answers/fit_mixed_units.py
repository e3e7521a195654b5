"""Subtracts GiB and counts the rest in GB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "bring both to bytes"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int((memory_gib - fixed_bytes / 2**30) // (bytes_per_sequence / 1e9)))
