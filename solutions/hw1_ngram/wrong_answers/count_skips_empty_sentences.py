"""A line without words is no sentence."""

CAUGHT_BY = "test_count_ngrams"
HINT = "every sentence end counts once"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        if not sentence:
            continue
        for context, word in events(sentence, n):
            counts[context][word] += 1
    return counts
