"""Squeezes in what nearly fits."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "4 bytes more than there are"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int((memory_gib * 2**30 - fixed_bytes) / bytes_per_sequence + 1e-3))
