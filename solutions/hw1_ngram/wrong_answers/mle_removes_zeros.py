"""Deletes entries of count 0 from the table on the way."""

CAUGHT_BY = "test_mle"
HINT = "changed the table"


def mle(counts, context, word):
    row = counts.get(context, {})
    for other in [other for other, count in row.items() if count == 0]:
        del row[other]
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0.0
