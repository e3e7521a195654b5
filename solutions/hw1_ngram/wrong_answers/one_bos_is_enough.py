"""Pads with a single <bos> whatever n is, which works for bigrams only."""

CAUGHT_BY = "test_events"
HINT = "wrong pairs for n = 3"


def events(sentence, n):
    tokens = [BOS] + list(sentence) + [EOS]
    return [(tuple(tokens[max(0, t - n + 1) : t]), tokens[t]) for t in range(1, len(tokens))]
