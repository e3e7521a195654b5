"""A sentence that came before is not counted again."""

CAUGHT_BY = "test_count_ngrams"
HINT = "also one that came before"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in set(map(tuple, sentences)):
        for context, word in events(sentence, n):
            counts[context][word] += 1
    return counts
