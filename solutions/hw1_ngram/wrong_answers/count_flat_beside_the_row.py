"""With n = 1 the words stand beside the row of the empty context as well, each with its count."""

CAUGHT_BY = "test_count_ngrams"
HINT = "whose row is a dictionary as well"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context][word] += 1
    return counts if n > 1 else {**counts[()], **counts}
