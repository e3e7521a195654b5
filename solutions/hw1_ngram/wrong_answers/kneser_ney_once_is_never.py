"""Takes a context that was seen once for one that was never seen."""

CAUGHT_BY = "test_kneser_ney"
HINT = "that is not never"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    if total <= 1:
        return continuation_probability(bigrams, word)
    different = sum(count > 0 for count in row.values())
    kept = max(row.get(word, 0) - discount, 0) / total
    return kept + discount * different / total * continuation_probability(bigrams, word)
