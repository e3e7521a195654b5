"""Takes the last n-1 tokens as tokens[-(n - 1):], which is all of them where n is 1."""

CAUGHT_BY = "test_count_ngrams"
HINT = "tokens[-0:] is all of them"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        tokens = [BOS] * (n - 1)
        for word in [*sentence, EOS]:
            counts[tuple(tokens[-(n - 1) :])][word] += 1
            tokens.append(word)
    return counts
