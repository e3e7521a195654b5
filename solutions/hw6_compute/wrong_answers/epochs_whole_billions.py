"""Counts the tokens of the training in whole billions."""

CAUGHT_BY = "test_epoch_range"
HINT = "none of the three need be round"


def epoch_range(tokens, weight, total):
    size, total = tokens / 1e9, total // 10**9
    return (weight - 0.005) * total / (size + 0.5), (weight + 0.005) * total / (size - 0.5)
