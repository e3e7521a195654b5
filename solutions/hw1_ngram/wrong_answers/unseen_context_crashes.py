"""Divides by zero, or looks up a missing key, after a context that never occurred."""

CAUGHT_BY = "test_mle"
HINT = "a context that never occurred must give 0"


def mle(counts, context, word):
    return counts[context].get(word, 0) / sum(counts[context].values())
