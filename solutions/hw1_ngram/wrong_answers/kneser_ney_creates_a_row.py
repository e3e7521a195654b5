"""Looks a row up with [ ], which a defaultdict creates."""

CAUGHT_BY = "test_kneser_ney"
HINT = "a defaultdict creates what you ask for"


def kneser_ney(bigrams, previous, word, discount):
    try:
        row = bigrams[(previous,)]
    except KeyError:
        return continuation_probability(bigrams, word)
    total = sum(row.values())
    if total == 0:
        return continuation_probability(bigrams, word)
    seen = sum(c > 0 for c in row.values())
    return max(row.get(word, 0) - discount, 0) / total + discount * seen / total * continuation_probability(
        bigrams, word
    )
