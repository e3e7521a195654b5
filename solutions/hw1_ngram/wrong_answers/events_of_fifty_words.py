"""Reads fifty words at most."""

CAUGHT_BY = "test_events"
HINT = "asks for 601 predictions"


def events(sentence, n):
    words = list(sentence)[:50]
    tokens = [BOS] * (n - 1) + words + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(words) + 1)]
