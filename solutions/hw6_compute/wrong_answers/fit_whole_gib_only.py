"""Cuts a memory of one and a half GiB down to one."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "1.5 GiB"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int((int(memory_gib) * 2**30 - fixed_bytes) // bytes_per_sequence))
