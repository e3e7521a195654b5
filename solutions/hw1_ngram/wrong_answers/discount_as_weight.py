"""The saved probability is handed out with weight d instead of d·N(v)/count(v)."""

CAUGHT_BY = "test_kneser_ney"
HINT = "not d alone"


def kneser_ney(bigrams, previous, word, discount):
    row = bigrams.get((previous,), {})
    total = sum(row.values())
    lower = continuation_probability(bigrams, word)
    if total == 0:
        return lower
    return max(row.get(word, 0) - discount, 0) / total + discount * lower
