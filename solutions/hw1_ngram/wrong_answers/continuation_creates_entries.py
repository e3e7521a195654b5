"""Every row has an entry for the word afterwards, a zero."""

CAUGHT_BY = "test_continuation_probability"
HINT = "look up with .get"


def continuation_probability(bigrams, word):
    ends_in_word = sum(row.setdefault(word, 0) > 0 for row in bigrams.values())
    return ends_in_word / sum(count > 0 for row in bigrams.values() for count in row.values())
