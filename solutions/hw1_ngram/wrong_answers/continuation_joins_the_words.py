"""Joins the two words of a bigram into one text to count the different ones."""

CAUGHT_BY = "test_continuation_probability"
HINT = "A bigram is a pair"


def continuation_probability(bigrams, word):
    all_bigrams = {c[0] + w for c, row in bigrams.items() for w, k in row.items() if k}
    ends = sum(1 for row in bigrams.values() if row.get(word))
    return ends / len(all_bigrams)
