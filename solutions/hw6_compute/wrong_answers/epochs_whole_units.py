"""Takes rounding for a whole unit either way."""

CAUGHT_BY = "test_epoch_range"
HINT = "not a whole one"


def epoch_range(tokens, weight, total):
    return (weight - 0.01) * total / (tokens + 1e9), (weight + 0.01) * total / (tokens - 1e9)
