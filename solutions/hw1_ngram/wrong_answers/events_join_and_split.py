"""Joins the words to a text and splits it at blanks again."""

CAUGHT_BY = "test_events"
HINT = "no word is split"


def events(sentence, n):
    tokens = [BOS] * (n - 1) + " ".join(sentence).split() + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(tokens) - n + 1)]
