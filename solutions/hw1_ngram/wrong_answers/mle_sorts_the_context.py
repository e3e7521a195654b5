"""Takes a context for a bag of words, whose order does not matter."""

CAUGHT_BY = "test_mle"
HINT = "the same tokens in another order"


def mle(counts, context, word):
    row = next((row for other, row in counts.items() if sorted(other) == sorted(context)), {})
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0
