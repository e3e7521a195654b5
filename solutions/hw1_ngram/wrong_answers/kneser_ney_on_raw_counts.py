"""Right discount, but the lower order is the raw unigram estimate."""

CAUGHT_BY = "test_kneser_ney"
HINT = "not raw counts"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    unigram = sum(r.get(word, 0) for r in bigrams.values()) / sum(sum(r.values()) for r in bigrams.values())
    total = sum(row.values())
    if total == 0:
        return unigram
    return max(row.get(word, 0) - discount, 0) / total + discount * len(row) / total * unigram
