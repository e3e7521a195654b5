"""Keeps the total of a context under the table's id, which the next table may have."""

CAUGHT_BY = "test_add_k"
HINT = "keep nothing between calls"

_totals = {}


def add_k(counts, context, word, k, vocabulary_size):
    key = id(counts), context
    if key not in _totals:
        _totals[key] = sum(counts.get(context, {}).values())
    return (counts.get(context, {}).get(word, 0) + k) / (_totals[key] + k * vocabulary_size)
