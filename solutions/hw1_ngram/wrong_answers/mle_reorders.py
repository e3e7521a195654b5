"""Takes a count out of the row and puts it back, at the end."""

CAUGHT_BY = "test_mle"
HINT = "changed the order of a row"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    if word in row:
        row[word] = row.pop(word)
    return row.get(word, 0) / total if total else 0.0
