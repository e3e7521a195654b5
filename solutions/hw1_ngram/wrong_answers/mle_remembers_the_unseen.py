"""Remembers what was unseen, and believes it when it has come."""

CAUGHT_BY = "test_mle"
HINT = "keep nothing between calls"


_unseen = set()


def mle(counts, context, word):
    if (id(counts), context, word) in _unseen:
        return 0.0
    row = counts.get(context, {})
    if word not in row:
        _unseen.add((id(counts), context, word))
        return 0.0
    return row[word] / sum(row.values())
