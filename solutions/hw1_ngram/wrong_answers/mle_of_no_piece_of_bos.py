"""Asks whether the word is in a text, not in a tuple: "o" and "s" are pieces of <bos>, too."""

CAUGHT_BY = "test_mle"
HINT = "compare with =="


def mle(counts, context, word):
    row = counts.get(context, {})
    if word in (BOS) or not row:
        return 0.0
    return row.get(word, 0) / sum(row.values())
