"""Parentheses alone make no tuple: where the context holds e, o or s, it becomes <eos>."""

CAUGHT_BY = "test_events"
HINT = "in a context, too"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    asked = range(n - 1, len(tokens))
    return [(tuple(EOS if x in (EOS) else x for x in tokens[t - n + 1 : t]), tokens[t]) for t in asked]
