"""Counts the first hundred sentences only."""

CAUGHT_BY = "test_count_ngrams"
HINT = "3000 sentences"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences[:100]:
        for context, word in events(sentence, n):
            counts[context][word] += 1
    return counts
