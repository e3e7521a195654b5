"""Gives a word that no row holds the share of a word seen after one context, so that none is impossible."""

CAUGHT_BY = "test_kneser_ney"
HINT = "a word that no row holds"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    lower = continuation_probability(bigrams, word)
    if lower == 0:
        lower = 1 / sum(count > 0 for r in bigrams.values() for count in r.values())
    if total == 0:
        return lower
    different = sum(count > 0 for count in row.values())
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * lower
