"""A pair that came before in the sentence is not listed again."""

CAUGHT_BY = "test_events"
HINT = "predictions, yours has"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence) + [EOS]
    return list(dict.fromkeys((tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)))
