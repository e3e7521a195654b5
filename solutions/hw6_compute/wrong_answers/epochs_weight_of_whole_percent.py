"""Rounds the weight to whole percent, as the table does."""

CAUGHT_BY = "test_epoch_range"
HINT = "none of the three need be round"


def epoch_range(tokens, weight, total):
    percent = round(100 * weight)
    return (percent - 0.5) / 100 * total / (tokens + 5e8), (percent + 0.5) / 100 * total / (tokens - 5e8)
