"""Takes all words for equally probable after a context that never occurred."""

CAUGHT_BY = "test_mle"
HINT = "a context that never occurred must give 0, yours gives"


def mle(counts, context, word):
    row = counts.get(context)
    if not row:
        return 1 / max(1, len(counts))
    return row.get(word, 0) / sum(row.values())
