"""Takes half a percent of the weight for half a percent."""

CAUGHT_BY = "test_epoch_range"
HINT = "between 1.477612 and 1.522613 epochs"


def epoch_range(tokens, weight, total):
    return weight * 0.995 * total / (tokens + 0.5e9), weight * 1.005 * total / (tokens - 0.5e9)
