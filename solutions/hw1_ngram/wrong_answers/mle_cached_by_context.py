"""Remembers the total of a context from one call to the next: right until another table has the same context."""

CAUGHT_BY = "test_mle"
HINT = "keep nothing between calls"


totals = {}


def mle(counts, context, word):
    row = counts.get(context, {})
    if context not in totals:
        totals[context] = sum(row.values())
    return row.get(word, 0) / totals[context] if totals[context] else 0.0
