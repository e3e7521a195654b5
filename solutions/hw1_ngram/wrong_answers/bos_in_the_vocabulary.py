"""Counts <bos> among the words that can be predicted."""

CAUGHT_BY = "test_vocabulary"
HINT = "<bos> is never predicted"


def vocabulary(sentences):
    return {word for sentence in sentences for word in sentence} | {BOS, EOS}
