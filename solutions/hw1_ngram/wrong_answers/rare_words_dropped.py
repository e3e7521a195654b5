"""Throws words away that are under one per cent of the text, to save memory."""

CAUGHT_BY = "test_count_ngrams"
HINT = "no count is too small"


def count_ngrams(sentences, n):
    counts = defaultdict(Counter)
    for sentence in sentences:
        for context, word in events(sentence, n):
            counts[context][word] += 1
    total = sum(sum(row.values()) for row in counts.values())
    return {
        context: {word: count for word, count in row.items() if count > 0.01 * total} for context, row in counts.items()
    }
