"""Adds a row up with Counter.total, which plain dictionaries lack."""

CAUGHT_BY = "test_add_k"
HINT = "rows may be plain dictionaries"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, Counter())
    return (row[word] + k) / (row.total() + k * vocabulary_size)
