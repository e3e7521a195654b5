"""Asks whether the word is in a text, not in a tuple: "o" is a piece of <bos>, too."""

CAUGHT_BY = "test_interpolate"
HINT = "and so is o"


def interpolate(tables, context, word, weights):
    if word in (BOS):
        return 0.0
    total = 0.0
    for i, (table, weight) in enumerate(zip(tables, weights, strict=True)):
        row = table.get(tuple(context[len(context) - i :]), {})
        if row:
            total += weight * row.get(word, 0) / sum(row.values())
    return total
