"""Adds k once to the denominator instead of once for every word of the vocabulary."""

CAUGHT_BY = "test_add_k"
HINT = "k is added once for every word"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k)
