"""Inverse probability of the whole text, without the 1/n."""

CAUGHT_BY = "test_perplexity"
HINT = "where is the 1/T?"


def perplexity(log_probs):
    return math.exp(-sum(log_probs))
