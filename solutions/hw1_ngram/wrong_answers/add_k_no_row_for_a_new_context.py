"""Looks the row up with .get and counts on there being one."""

CAUGHT_BY = "test_add_k"
HINT = "all words are equally probable, with k = 0.5 as with k = 1e-8; yours raises AttributeError"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context)
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)
