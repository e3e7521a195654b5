"""Keeps the total of a context under the table's id, which the next table may have."""

CAUGHT_BY = "test_mle"
HINT = "keep nothing between calls"

_totals = {}


def mle(counts, context, word):
    key = id(counts), context
    if key not in _totals:
        _totals[key] = sum(counts.get(context, {}).values())
    return counts.get(context, {}).get(word, 0) / _totals[key] if _totals[key] else 0.0
