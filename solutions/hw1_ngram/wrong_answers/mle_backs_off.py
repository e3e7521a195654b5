"""After a context that never occurred, the share of the word among all words of the table."""

CAUGHT_BY = "test_mle"
HINT = "a context that never occurred must give 0, yours gives"


def mle(counts, context, word):
    row = counts.get(context)
    if not row:
        row = sum(map(Counter, counts.values()), Counter())
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0.0
