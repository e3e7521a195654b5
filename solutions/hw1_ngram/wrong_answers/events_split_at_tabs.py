"""Joins the tokens to a line with tabs, as tables are stored, and splits it at tabs again."""

CAUGHT_BY = "test_events"
HINT = "tabs, blanks and underscores belong to a word"


def events(sentence, n):
    tokens = "\t".join([BOS] * (n - 1) + list(sentence) + [EOS]).split("\t")
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(tokens) - n + 1)]
