"""Parentheses alone make no tuple: the words e, o and s end the sentence as well."""

CAUGHT_BY = "test_count_ngrams"
HINT = "o or s is neither"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context][word] += 1
            if word in (EOS):
                break
    return counts
