"""Rounds the denominator to six decimals, so that a small k is lost where nothing was counted."""

CAUGHT_BY = "test_add_k"
HINT = "with k = 0.5 as with k = 1e-8; yours raises ZeroDivisionError"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / round(sum(row.values()) + k * vocabulary_size, 6)
