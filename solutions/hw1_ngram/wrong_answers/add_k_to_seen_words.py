"""Takes V to be the number of words seen after this context."""

CAUGHT_BY = "test_add_k"
HINT = "V is the size of the whole vocabulary"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * len(row))
