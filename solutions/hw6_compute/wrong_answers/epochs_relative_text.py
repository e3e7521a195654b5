"""Takes half a percent of the text for half a billion."""

CAUGHT_BY = "test_epoch_range"
HINT = "Common Crawl"


def epoch_range(tokens, weight, total):
    return (weight - 0.005) * total / (tokens * 1.005), (weight + 0.005) * total / (tokens * 0.995)
