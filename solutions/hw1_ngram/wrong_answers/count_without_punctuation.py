"""Leaves out punctuation marks and numbers before it counts."""

CAUGHT_BY = "test_count_ngrams"
HINT = "as it is written"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        words = [w for w in sentence if any(c.isalpha() for c in w)]
        tokens = [BOS] * (n - 1) + words + [EOS]
        for t in range(len(words) + 1):
            counts[tuple(tokens[t : t + n - 1])][tokens[t + n - 1]] += 1
    return counts
