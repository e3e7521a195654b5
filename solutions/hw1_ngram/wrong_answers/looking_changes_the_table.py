"""Looks up in a way that creates what is missing: the table grows an empty row for every context that somebody asks about."""

CAUGHT_BY = "test_mle"
HINT = "use .get"


def mle(counts, context, word):
    row = counts.setdefault(context, Counter())
    total = sum(row.values())
    return row.get(word, 0) / total if total else 0.0
