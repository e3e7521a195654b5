"""Never returns less than 1e-12, so that no logarithm fails later."""

CAUGHT_BY = "test_kneser_ney"
HINT = "put no floor under it"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    lower = continuation_probability(bigrams, word)
    if total == 0:
        return max(lower, 1e-12)
    different = sum(count > 0 for count in row.values())
    return max(max(row.get(word, 0) - discount, 0) / total + discount * different / total * lower, 1e-12)
