"""Looks the last word of the context up, a text, where the table's keys are tuples."""

CAUGHT_BY = "test_mle"
HINT = "A table's keys are contexts, tuples"


def mle(counts, context, word):
    row = counts[context[-1]]
    return row.get(word, 0) / sum(row.values())
