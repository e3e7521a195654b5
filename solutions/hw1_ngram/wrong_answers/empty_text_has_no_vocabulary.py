"""Returns an empty set for an empty text."""

CAUGHT_BY = "test_vocabulary"
HINT = "even an empty text"


def vocabulary(sentences):
    return {word for sentence in sentences for word in [*sentence, EOS]}
