"""Takes the row out of the table and puts it back, at the end."""

CAUGHT_BY = "test_kneser_ney"
HINT = "changed the order of the table"


def kneser_ney(bigrams, previous, word, discount):
    if (previous,) not in bigrams:
        return continuation_probability(bigrams, word)
    row = bigrams.pop((previous,))
    bigrams[(previous,)] = row
    total = sum(row.values())
    different = sum(count > 0 for count in row.values())
    kept = max(row.get(word, 0) - discount, 0) / total
    return kept + discount * different / total * continuation_probability(bigrams, word)
