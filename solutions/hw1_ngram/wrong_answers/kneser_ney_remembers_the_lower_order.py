"""Computes the continuation probability of a word once and for all."""

CAUGHT_BY = "test_kneser_ney"
HINT = "keep nothing between calls"


lower_order = {}


def kneser_ney(bigrams, previous, word, discount):
    if word not in lower_order:
        lower_order[word] = continuation_probability(bigrams, word)
    lower = lower_order[word]
    row = bigrams.get((previous,), {})
    total, different = sum(row.values()), sum(count > 0 for count in row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * lower
