"""The end of the sentence is never predicted, so short and long sentences cannot be told apart."""

CAUGHT_BY = "test_events"
HINT = "the last event must ask for <eos>"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + list(sentence)
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence))]
