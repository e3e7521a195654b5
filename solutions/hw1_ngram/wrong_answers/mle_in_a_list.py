"""Returns a list with the number in it."""

CAUGHT_BY = "test_mle"
HINT = "the number 0, yours is [0.0]"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    return [row.get(word, 0) / total if total else 0.0]
