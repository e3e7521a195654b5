"""Adds a row up with Counter.total, which plain dictionaries lack."""

CAUGHT_BY = "test_mle"
HINT = "rows may be plain dictionaries"


def mle(counts, context, word):
    return counts[context][word] / counts[context].total() if context in counts else 0
