"""Counts N(v) over all entries of the row, also those whose count is 0."""

CAUGHT_BY = "test_kneser_ney"
HINT = "those bigrams were not seen"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    if total == 0:
        return continuation_probability(bigrams, word)
    kept = max(row.get(word, 0) - discount, 0) / total
    return kept + discount * len(row) / total * continuation_probability(bigrams, word)
