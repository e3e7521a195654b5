"""Returns nothing for a sentence without words."""

CAUGHT_BY = "test_events"
HINT = "does it end at once"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)] if sentence else []
