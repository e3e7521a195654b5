"""Rounds the probability to four decimals."""

CAUGHT_BY = "test_add_k"
HINT = "5/31 = 0.161290..., yours is 0.1613"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return round((row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size), 4)
