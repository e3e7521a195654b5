"""Takes a context with <bos> in it for one that never occurred."""

CAUGHT_BY = "test_mle"
HINT = "<bos> may stand in a context"


def mle(counts, context, word):
    if BOS in context:
        return 0.0
    row = counts.get(context, {})
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0.0
