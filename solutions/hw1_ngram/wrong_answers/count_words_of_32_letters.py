"""Counts rows of an array of texts of 32 letters, in which longer words that begin alike are one."""

CAUGHT_BY = "test_count_ngrams"
HINT = "two words of 120 and 122 letters, which begin alike"


def count_ngrams(sentences, n):
    grams = [(*context, word) for sentence in sentences for context, word in events(sentence, n)]
    counts = {}
    if grams:
        for gram, times in zip(*np.unique(np.array(grams, dtype="U32"), axis=0, return_counts=True), strict=True):
            *context, word = gram.tolist()
            counts.setdefault(tuple(context), {})[word] = int(times)
    return counts
