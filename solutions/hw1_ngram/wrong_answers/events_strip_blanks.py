"""Strips blanks around the words."""

CAUGHT_BY = "test_events"
HINT = "blanks and underscores"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + [w.strip() for w in sentence] + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)]
