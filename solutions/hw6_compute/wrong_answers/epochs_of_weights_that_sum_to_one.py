"""Divides the weights by the 1.01 that they sum to in the table."""

CAUGHT_BY = "test_epoch_range"
HINT = "between 1.477612 and 1.522613 epochs"


def epoch_range(tokens, weight, total):
    least = (weight / 1.01 - 0.005) * total / (tokens + 0.5e9)
    return least, (weight / 1.01 + 0.005) * total / (tokens - 0.5e9)
