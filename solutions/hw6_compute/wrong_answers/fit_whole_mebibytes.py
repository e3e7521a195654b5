"""Cuts a memory down to whole MiB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "the memory need not be whole"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, (int(memory_gib * 1024) * 2**20 - fixed_bytes) // bytes_per_sequence)
