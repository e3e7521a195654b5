"""Looks a word up with [ ], which a row that is a defaultdict creates."""

CAUGHT_BY = "test_add_k"
HINT = "added an entry to a row"


def add_k(counts, context, word, k, vocabulary_size):
    row = counts.get(context, {})
    try:
        c = row[word]
    except KeyError:
        c = 0
    return (c + k) / (sum(row.values()) + k * vocabulary_size)
