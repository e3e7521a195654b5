"""Writes a context backwards, the token before the word first."""

CAUGHT_BY = "test_events"
HINT = "the oldest first"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    return [(tuple(tokens[t - n + 1 : t])[::-1], tokens[t]) for t in range(n - 1, len(tokens))]
