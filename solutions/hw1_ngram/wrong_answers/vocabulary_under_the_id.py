"""Keeps the vocabulary of a text under the text's id, which the next text may have."""

CAUGHT_BY = "test_vocabulary"
HINT = "keep nothing between calls"

_vocabularies = {}


def vocabulary(sentences):
    if id(sentences) not in _vocabularies:
        _vocabularies[id(sentences)] = {word for sentence in sentences for word in sentence} | {EOS}
    return _vocabularies[id(sentences)]
