"""Parentheses alone make no tuple: the words e, o and s are left out."""

CAUGHT_BY = "test_vocabulary"
HINT = "compare with =="


def vocabulary(sentences):
    return {word for sentence in sentences for word in sentence if word not in (EOS)} | {EOS}
