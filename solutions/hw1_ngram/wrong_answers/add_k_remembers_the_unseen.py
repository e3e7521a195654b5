"""Remembers which contexts never occurred."""

CAUGHT_BY = "test_add_k"
HINT = "an unseen context and an unseen word come"

_unseen = set()


def add_k(counts, context, word, k, vocabulary_size):
    if context in _unseen or context not in counts:
        _unseen.add(context)
        return 1 / vocabulary_size
    row = counts[context]
    return (row.get(word, 0) + k) / (sum(row.values()) + k * vocabulary_size)
