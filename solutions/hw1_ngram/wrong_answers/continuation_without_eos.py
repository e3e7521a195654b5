"""Leaves <eos> out: the end of a sentence is no word to it."""

CAUGHT_BY = "test_continuation_probability"
HINT = "its end a word like any other"


def continuation_probability(bigrams, word):
    different = [w for row in bigrams.values() for w, count in row.items() if count > 0 and w != EOS]
    return different.count(word) / len(different)
