"""Pads the list that it was given, so the caller's sentence grows."""

CAUGHT_BY = "test_events"
HINT = "changed the sentence"


def events(sentence, n):
    length = len(sentence)
    sentence.insert(0, BOS) if n == 2 else None
    tokens = [BOS] * (n - 1) + sentence[-length:] * (length > 0) + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(length + 1)]
