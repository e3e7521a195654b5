"""Takes GiB for GB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "a GiB is 2^30 bytes"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, (memory_gib * 10**9 - fixed_bytes) // bytes_per_sequence)
