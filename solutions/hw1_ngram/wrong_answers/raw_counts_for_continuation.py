"""Kneser-Ney's lower order from how often a word occurred, not from how many words it follows."""

CAUGHT_BY = "test_continuation_probability"
HINT = "continuation counts, not raw counts"


def continuation_probability(bigrams, word):
    return sum(row.get(word, 0) for row in bigrams.values()) / sum(sum(row.values()) for row in bigrams.values())
