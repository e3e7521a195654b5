"""Keeps the 255 most frequent words and <eos>."""

CAUGHT_BY = "test_vocabulary"
HINT = "many one-word sentences"


def vocabulary(sentences):
    counts = Counter(word for sentence in sentences for word in sentence)
    return {word for word, _ in counts.most_common(255)} | {EOS}
