"""Keeps the tokens in an array of texts of twenty letters, which cuts longer ones off."""

CAUGHT_BY = "test_events"
HINT = "a word of 120 letters stands in the pairs as it is written"


def events(sentence, n):
    tokens = np.full(len(sentence) + n, BOS, dtype="U20")
    tokens[n - 1 : -1] = sentence
    tokens[-1] = EOS
    tokens = tokens.tolist()
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(sentence) + 1)]
