"""Leaves <bos> out: the beginning of a sentence is no context to it."""

CAUGHT_BY = "test_continuation_probability"
HINT = "the beginning of a sentence is a context"


def continuation_probability(bigrams, word):
    rows = [row for context, row in bigrams.items() if context != (BOS,)]
    return sum(row.get(word, 0) > 0 for row in rows) / sum(count > 0 for row in rows for count in row.values())
