"""Keeps the number of bigrams under the table's id, which the next table may have."""

CAUGHT_BY = "test_continuation_probability"
HINT = "keep nothing between calls"

_bigrams = {}


def continuation_probability(bigrams, word):
    if id(bigrams) not in _bigrams:
        _bigrams[id(bigrams)] = sum(count > 0 for row in bigrams.values() for count in row.values())
    return sum(row.get(word, 0) > 0 for row in bigrams.values()) / _bigrams[id(bigrams)]
