"""Remembers the total of a row by its context and its length: right until a count in it grows."""

CAUGHT_BY = "test_mle"
HINT = "keep nothing between calls"


totals = {}


def mle(counts, context, word):
    row = counts.get(context, {})
    key = context, len(row), len(counts)
    if key not in totals:
        totals[key] = sum(row.values())
    return row.get(word, 0) / totals[key] if totals[key] else 0.0
