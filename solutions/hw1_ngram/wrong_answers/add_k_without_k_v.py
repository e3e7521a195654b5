"""Adds k to the count only, so that a row sums to more than one."""

CAUGHT_BY = "test_add_k"
HINT = "not k·V to the denominator"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / sum(row.values())
