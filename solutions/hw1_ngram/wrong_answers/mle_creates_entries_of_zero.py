"""Looks the word up with [ ]: in a row that is a defaultdict every word that was asked for has an entry afterwards."""

CAUGHT_BY = "test_mle"
HINT = "looking up a probability changed the table"


def mle(counts, context, word):
    row = counts.get(context, {})
    total = sum(row.values())
    try:
        return row[word] / total if total else 0.0
    except KeyError:
        return 0.0
