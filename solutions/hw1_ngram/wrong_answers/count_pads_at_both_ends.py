"""Pads with n-1 tokens at both ends, as libraries do, so that the end is asked for once more after the end."""

CAUGHT_BY = "test_count_ngrams"
HINT = "a sentence ends once"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        tokens = [BOS] * (n - 1) + sentence + [EOS] * max(n - 1, 1)
        for t in range(n - 1, len(tokens)):
            counts[tuple(tokens[t - n + 1 : t])][tokens[t]] += 1
    return counts
