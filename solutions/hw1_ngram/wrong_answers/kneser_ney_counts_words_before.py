"""Takes N(v), the number of different words after v, for the number of different words before v."""

CAUGHT_BY = "test_kneser_ney"
HINT = "the number of different words after v"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    lower = continuation_probability(bigrams, word)
    if not row:
        return lower
    before = sum(other.get(previous, 0) > 0 for other in bigrams.values())
    return (max(row.get(word, 0) - discount, 0) + discount * before * lower) / sum(row.values())
