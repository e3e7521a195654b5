"""Has GPT-3’s training in its head."""

CAUGHT_BY = "test_epoch_range"
HINT = "billion tokens of training"


def epoch_range(tokens, weight, total):
    return (weight - 0.005) * 300e9 / (tokens + 0.5e9), (weight + 0.005) * 300e9 / (tokens - 0.5e9)
