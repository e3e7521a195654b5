"""Adds the two relative errors, as one does for small ones."""

CAUGHT_BY = "test_epoch_range"
HINT = "epochs; yours is"


def epoch_range(tokens, weight, total):
    seen, part = weight * total / tokens, 0.005 / weight + 0.5e9 / tokens
    return seen * (1 - part), seen * (1 + part)
