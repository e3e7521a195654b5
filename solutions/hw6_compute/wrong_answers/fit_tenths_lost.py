"""Takes whole GiB, unless a half is left."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "the memory need not be whole"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    gib = memory_gib if memory_gib % 1 == 0.5 else round(memory_gib)
    return max(0, int((gib * 2**30 - fixed_bytes) // bytes_per_sequence))
