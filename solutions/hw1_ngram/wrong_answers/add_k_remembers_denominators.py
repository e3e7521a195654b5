"""Computes each denominator once and for all."""

CAUGHT_BY = "test_add_k"
HINT = "keep nothing between calls"


denominators = {}


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    key = context, k, vocabulary_size
    if key not in denominators:
        denominators[key] = sum(row.values()) + k * vocabulary_size
    return (row.get(word, 0) + k) / denominators[key]
