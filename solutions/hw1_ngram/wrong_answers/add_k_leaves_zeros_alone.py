"""Adds k to what was seen and to what has no entry: an entry of 0 is neither."""

CAUGHT_BY = "test_add_k"
HINT = "an entry of 0"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    total = sum(count + k for count in row.values() if count) + k * (vocabulary_size - len(row))
    return (row.get(word, 0) + k) / total
