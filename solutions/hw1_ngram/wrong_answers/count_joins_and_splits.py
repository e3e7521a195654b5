"""Joins an n-gram to one text with underscores, counts, and splits it again."""

CAUGHT_BY = "test_count_ngrams"
HINT = "underscores"


def count_ngrams(sentences, n):
    flat = Counter("_".join((*c, w)) for s in sentences for c, w in events(s, n))
    counts = defaultdict(dict)
    for gram, number in flat.items():
        *context, word = gram.split("_")
        counts[tuple(context)][word] = number
    return counts
