"""Remembers the denominator for a row, whatever k is the next time."""

CAUGHT_BY = "test_add_k"
HINT = "with two k and with two V"


known = {}


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    key = tuple(sorted(row.items()))
    if key not in known or not row:
        known[key] = sum(row.values()) + k * vocabulary_size
    return (row.get(word, 0) + k) / known[key]
