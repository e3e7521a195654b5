"""Looks a word up with [ ], which a defaultdict creates."""

CAUGHT_BY = "test_continuation_probability"
HINT = "a defaultdict creates what you ask for"


def continuation_probability(bigrams, word):
    ends, total = 0, 0
    for row in bigrams.values():
        total += sum(c > 0 for c in row.values())
        try:
            ends += row[word] > 0
        except KeyError:
            pass
    return ends / total
