"""Divides by the number of contexts, so that the continuation probabilities do not sum to one."""

CAUGHT_BY = "test_continuation_probability"
HINT = "not by the number of contexts"


def continuation_probability(bigrams, word):
    return sum(row.get(word, 0) > 0 for row in bigrams.values()) / len(bigrams)
