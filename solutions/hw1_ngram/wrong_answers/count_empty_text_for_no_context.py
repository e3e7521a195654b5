"""Where n is 1 the context is the empty text, not the empty tuple."""

CAUGHT_BY = "test_count_ngrams"
HINT = "the empty tuple ()"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context or ""][word] += 1
    return counts
