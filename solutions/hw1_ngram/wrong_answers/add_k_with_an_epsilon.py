"""Adds a little to the denominator against a division by zero: a small k drowns in it where nothing was counted."""

CAUGHT_BY = "test_add_k"
HINT = "with k = 1e-8, too"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size + 1e-10)
