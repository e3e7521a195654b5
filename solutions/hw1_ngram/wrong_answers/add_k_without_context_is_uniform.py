"""Takes the empty context of the 1-grams for one that never occurred."""

CAUGHT_BY = "test_add_k"
HINT = "a context has any length"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {}) if context else {}
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)
