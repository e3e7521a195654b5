"""Forgets max(…, 0): words never seen after v get a negative share."""

CAUGHT_BY = "test_kneser_ney"
HINT = "max(count - d, 0)"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    lower = continuation_probability(bigrams, word)
    if total == 0:
        return lower
    return (row.get(word, 0) - discount) / total + discount * len(row) / total * lower
