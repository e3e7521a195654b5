"""There is always room for one."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "no room for one: 0"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(1, (memory_gib * 2**30 - fixed_bytes) // bytes_per_sequence)
