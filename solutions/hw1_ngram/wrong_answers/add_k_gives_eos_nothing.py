"""The end of a sentence is no word, so that nothing is added to its count."""

CAUGHT_BY = "test_add_k"
HINT = "<eos> is a word like any other"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    return (row.get(word, 0) + (0 if word == EOS else k)) / (sum(row.values()) + k * vocabulary_size)
