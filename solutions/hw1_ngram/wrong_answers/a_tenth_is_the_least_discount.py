"""No discount is smaller than a tenth."""

CAUGHT_BY = "test_kneser_ney"
HINT = "some values are wrong in a random table"


def kneser_ney(bigrams, previous, word, discount):
    discount, lower = max(discount, 0.1), continuation_probability(bigrams, word)
    row = bigrams.get((previous,), {})
    total, different = sum(row.values()), sum(count > 0 for count in row.values())
    if not total:
        return lower
    return max(row.get(word, 0) - discount, 0) / total + discount * different / total * lower
