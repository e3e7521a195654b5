"""Writes every word in lower case first, as many pipelines do."""

CAUGHT_BY = "test_events"
HINT = "capitals too"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + [word.lower() for word in sentence] + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)]
