"""Counts the bigrams of a set of contexts once and for all."""

CAUGHT_BY = "test_continuation_probability"
HINT = "keep nothing between calls"


numbers = {}


def continuation_probability(bigrams, word):
    contexts = tuple(bigrams)
    if contexts not in numbers:
        numbers[contexts] = sum(count > 0 for row in bigrams.values() for count in row.values())
    return sum(row.get(word, 0) > 0 for row in bigrams.values()) / numbers[contexts]
