"""Asks whether the context is in a text, not in a tuple: the row of "o" is left out."""

CAUGHT_BY = "test_continuation_probability"
HINT = "compare with =="


def continuation_probability(bigrams, word):
    rows = [row for context, row in bigrams.items() if context[0] not in (EOS)]
    pairs = sum(count > 0 for row in rows for count in row.values())
    return sum(row.get(word, 0) > 0 for row in rows) / pairs if pairs else 0.0
