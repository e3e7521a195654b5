"""Rounds a memory up to halves of a GiB."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "the memory need not be whole"


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    room = math.ceil(memory_gib * 2) * 2**29 - fixed_bytes
    return max(0, int(room // bytes_per_sequence))
