"""Pairs the smallest weight with the smallest text."""

CAUGHT_BY = "test_epoch_range"
HINT = "the SMALLEST weight and the LARGEST text"


def epoch_range(tokens, weight, total):
    return (weight - 0.005) * total / (tokens - 0.5e9), (weight + 0.005) * total / (tokens + 0.5e9)
