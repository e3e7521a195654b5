"""Looks words up in lower case."""

CAUGHT_BY = "test_mle"
HINT = "The and the are two words"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    return row.get(word.lower(), 0) / total if total else 0.0
