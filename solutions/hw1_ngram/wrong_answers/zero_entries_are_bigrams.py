"""Counts entries of the table, also those whose count is 0."""

CAUGHT_BY = "test_continuation_probability"
HINT = "those bigrams were not seen"


def continuation_probability(bigrams, word):
    return sum(word in row for row in bigrams.values()) / sum(len(row) for row in bigrams.values())
