"""The and the are one context."""

CAUGHT_BY = "test_continuation_probability"
HINT = "two contexts"


def continuation_probability(bigrams, word):
    seen = {(context[0].lower(), w) for context, row in bigrams.items() for w, count in row.items() if count > 0}
    return sum(w == word for _, w in seen) / len(seen)
