"""Remembers the weight of the lower order for a row, whatever the discount is the next time."""

CAUGHT_BY = "test_kneser_ney"
HINT = "one table with the discounts"


known = {}


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    if total == 0:
        return continuation_probability(bigrams, word)
    key = previous, tuple(row.items())
    if key not in known:
        known[key] = discount * sum(count > 0 for count in row.values()) / total
    return max(row.get(word, 0) - discount, 0) / total + known[key] * continuation_probability(bigrams, word)
