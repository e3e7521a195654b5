"""Counts in unsigned bytes: after 255 comes 0."""

CAUGHT_BY = "test_count_ngrams"
HINT = "none too large"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context][word] = (counts[context][word] + 1) % 256
    return counts
