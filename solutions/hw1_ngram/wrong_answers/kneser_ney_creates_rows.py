"""Looks up in a way that creates what is missing."""

CAUGHT_BY = "test_kneser_ney"
HINT = "look up with .get"


def kneser_ney(bigrams, previous, word, discount):
    lower = continuation_probability(bigrams, word)
    row = bigrams.setdefault((previous,), {})
    total, different = sum(row.values()), sum(count > 0 for count in row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * lower
