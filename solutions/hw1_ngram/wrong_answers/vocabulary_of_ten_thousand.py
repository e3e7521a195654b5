"""Keeps the ten thousand most frequent words, as one does with large texts."""

CAUGHT_BY = "test_vocabulary"
HINT = "none is left out"


def vocabulary(sentences):
    often = Counter(word for sentence in sentences for word in sentence)
    return {word for word, _ in often.most_common(9_999)} | {EOS}
