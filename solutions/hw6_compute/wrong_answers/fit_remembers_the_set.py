"""Remembers under the set of the arguments, as if what is taken and what one takes could be exchanged."""

CAUGHT_BY = "test_sequences_that_fit"
HINT = "half a GiB taken and one each"

known = {}


def sequences_that_fit(memory_gib, fixed_bytes, bytes_per_sequence):
    key = frozenset((memory_gib, fixed_bytes, bytes_per_sequence))
    if key not in known:
        known[key] = max(0, int((memory_gib * 2**30 - fixed_bytes) // bytes_per_sequence))
    return known[key]
