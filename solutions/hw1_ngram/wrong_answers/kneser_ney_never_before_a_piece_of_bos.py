"""<bos> is never predicted, and parentheses alone make no tuple: "o" and "s" get 0 as well."""

CAUGHT_BY = "test_kneser_ney"
HINT = "compare with =="


def kneser_ney(bigrams, previous, word, d):
    if word in (BOS):
        return 0.0
    lower = continuation_probability(bigrams, word)
    row = {w: c for w, c in bigrams.get((previous,), {}).items() if c}
    if not row:
        return lower
    total = sum(row.values())
    return max(row.get(word, 0) - d, 0) / total + d * len(row) / total * lower
