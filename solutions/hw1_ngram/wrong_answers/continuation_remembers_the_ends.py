"""Remembers in how many rows a word stands, until a table has other entries; an entry of 0 is one."""

CAUGHT_BY = "test_continuation_probability"
HINT = "an entry of 0 became 1"


known = {}


def continuation_probability(bigrams, word):
    key = word, tuple(bigrams), tuple(map(len, bigrams.values()))
    if key not in known:
        known[key] = sum(row.get(word, 0) > 0 for row in bigrams.values())
    return known[key] / sum(count > 0 for row in bigrams.values() for count in row.values())
