"""Asks whether an older token is in a text, not in a tuple: what stands before "o" or "s" becomes <bos>."""

CAUGHT_BY = "test_count_ngrams"
HINT = "for n = 3"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            begins = max((j + 1 for j, x in enumerate(context[:-1]) if x in (BOS)), default=0)
            counts[(BOS,) * begins + tuple(context[begins:])][word] += 1
    return counts
