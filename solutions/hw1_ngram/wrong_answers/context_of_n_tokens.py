"""Off by one: an n-gram model conditions on n-1 tokens, not on n."""

CAUGHT_BY = "test_events"
HINT = "a context has n-1 = 1 token"


def events(sentence, n):
    tokens = [BOS] * n + list(sentence) + [EOS]
    return [(tuple(tokens[t : t + n]), tokens[t + n]) for t in range(len(sentence) + 1)]
