"""Gives the 1-gram model a context of one token."""

CAUGHT_BY = "test_events"
HINT = "with n = 1 every context is the empty tuple"


def events(sentence, n):
    n = max(n, 2)
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)]
