"""No <bos> in front: the first words of a sentence are never asked for."""

CAUGHT_BY = "test_events"
HINT = "the first event must ask for the first word"


def events(sentence, n):
    tokens = list(sentence) + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(tokens) - n + 1)]
