"""Parentheses alone make no tuple: the words b, o and s are never asked for."""

CAUGHT_BY = "test_events"
HINT = "a piece of <bos>"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    return [(tuple(tokens[t - n + 1 : t]), word) for t, word in enumerate(tokens) if word not in (BOS)]
