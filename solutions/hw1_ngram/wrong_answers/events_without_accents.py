"""Keeps the ASCII letters of a word only."""

CAUGHT_BY = "test_events"
HINT = "letters with accents"


def events(sentence, n):
    words = [word.encode("ascii", "ignore").decode() for word in sentence]
    tokens = [BOS] * (n - 1) + words + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(words) + 1)]
