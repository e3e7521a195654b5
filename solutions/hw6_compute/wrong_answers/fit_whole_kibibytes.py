"""Cuts the memory off to whole KiB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "none of them may get lost"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    kib = int(memory_gib * 2**20)
    return max(0, (kib * 2**10 - fixed_bytes) // bytes_per_sequence)
