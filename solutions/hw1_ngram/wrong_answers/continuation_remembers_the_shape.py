"""Remembers the number of different bigrams for a table of this many entries, zeros or not."""

CAUGHT_BY = "test_continuation_probability"
HINT = "an entry of 0 became 1"


known = {}


def continuation_probability(bigrams, word):
    key = len(bigrams), sum(map(len, bigrams.values()))
    if key not in known:
        known[key] = sum(count > 0 for row in bigrams.values() for count in row.values())
    return sum(row.get(word, 0) > 0 for row in bigrams.values()) / known[key]
