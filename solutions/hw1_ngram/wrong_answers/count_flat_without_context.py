"""With n = 1 there is no context to speak of: one flat Counter of words."""

CAUGHT_BY = "test_count_ngrams"
HINT = "whose row is a dictionary as well"


def count_ngrams(sentences, n):
    if n == 1:
        return Counter(word for sentence in sentences for word in [*sentence, EOS])
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context][word] += 1
    return counts
