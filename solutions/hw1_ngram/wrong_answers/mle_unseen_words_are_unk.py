"""Gives a word that never followed the context the probability of <unk>."""

CAUGHT_BY = "test_mle"
HINT = "<unk> is a word like any other"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    return row.get(word, row.get("<unk>", 0)) / total if total else 0
