"""Takes a context with <bos> in it for one that never occurred."""

CAUGHT_BY = "test_add_k"
HINT = "<bos> may stand in a context"


def add_k(counts, context, word, k, vocabulary_size):
    row = {} if BOS in context else counts.get(context, {})
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)
