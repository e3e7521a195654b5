"""Forgets that the end of a sentence is predicted too."""

CAUGHT_BY = "test_vocabulary"
HINT = "<eos> belongs to the vocabulary"


def vocabulary(sentences):
    return {word for sentence in sentences for word in sentence}
