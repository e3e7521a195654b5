"""The end of a sentence is left out of the total, because it is no word."""

CAUGHT_BY = "test_mle"
HINT = "<eos> counts like any word"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(count for seen, count in row.items() if seen != EOS)
    return row.get(word, 0) / total if total else 0.0
