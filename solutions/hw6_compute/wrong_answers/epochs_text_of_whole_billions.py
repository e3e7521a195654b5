"""Rounds the text to whole billions, as the table does."""

CAUGHT_BY = "test_epoch_range"
HINT = "none of the three need be round"


def epoch_range(tokens, weight, total):
    size = round(tokens / 1e9) * 1e9
    return (weight - 0.005) * total / (size + 5e8), (weight + 0.005) * total / (size - 5e8)
