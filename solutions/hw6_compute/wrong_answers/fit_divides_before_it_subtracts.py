"""Divides first and subtracts then: a rounding may cost a sequence."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "take the fixed bytes off first"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    return max(0, int(memory_gib * 2**30 / bytes_per_sequence - fixed_bytes / bytes_per_sequence))
