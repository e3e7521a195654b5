"""Only what has a letter or a digit is a word."""

CAUGHT_BY = "test_vocabulary"
HINT = "punctuation marks and numbers too"


def vocabulary(sentences):
    return {word for sentence in sentences for word in sentence if any(sign.isalnum() for sign in word)} | {EOS}
