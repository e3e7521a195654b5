"""Only what has a letter or a digit is a word."""

CAUGHT_BY = "test_events"
HINT = "punctuation marks and numbers too"


def events(sentence, n):
    words = [word for word in sentence if any(sign.isalnum() for sign in word)]
    tokens = [BOS] * (n - 1) + words + [EOS]
    return [(tuple(tokens[t : t + n - 1]), tokens[t + n - 1]) for t in range(len(words) + 1)]
