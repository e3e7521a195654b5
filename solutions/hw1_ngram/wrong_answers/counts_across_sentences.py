"""Joins all sentences into one long text, so n-grams reach from one sentence into the next."""

CAUGHT_BY = "test_count_ngrams"
HINT = "an n-gram never crosses the end of a sentence"


def count_ngrams(sentences, n):
    text = [BOS] * (n - 1) + [word for sentence in sentences for word in sentence] + [EOS]
    counts = defaultdict(Counter)
    for t in range(n - 1, len(text)):
        counts[tuple(text[t - n + 1 : t])][text[t]] += 1
    return counts
