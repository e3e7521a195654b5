"""Looks the previous word up in lower case."""

CAUGHT_BY = "test_kneser_ney"
HINT = "The and the"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous.lower(),), {})
    total = sum(row.values())
    if total == 0:
        return continuation_probability(bigrams, word)
    different = sum(count > 0 for count in row.values())
    kept = max(row.get(word, 0) - discount, 0) / total
    return kept + discount * different / total * continuation_probability(bigrams, word)
