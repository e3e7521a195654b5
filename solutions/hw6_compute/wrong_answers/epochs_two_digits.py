"""Rounds as the table does."""

CAUGHT_BY = "test_epoch_range"
HINT = "epochs; yours is"


def epoch_range(tokens, weight, total):
    corners = (weight - 0.005) * total / (tokens + 0.5e9), (weight + 0.005) * total / (tokens - 0.5e9)
    return tuple(round(corner, 2) for corner in corners)
