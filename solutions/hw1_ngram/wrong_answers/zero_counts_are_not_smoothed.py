"""Adds k only where the table has an entry or none at all, not where the entry is 0."""

CAUGHT_BY = "test_add_k"
HINT = "an entry of 0"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    count = row.get(word)
    added = 0 if count == 0 else k
    return ((count or 0) + added) / (sum(row.values()) + k * vocabulary_size)
