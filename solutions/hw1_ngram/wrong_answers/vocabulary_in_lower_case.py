"""Takes The and the for one word."""

CAUGHT_BY = "test_vocabulary"
HINT = "keep the capitals"


def vocabulary(sentences):
    return {word.lower() for sentence in sentences for word in sentence} | {EOS}
