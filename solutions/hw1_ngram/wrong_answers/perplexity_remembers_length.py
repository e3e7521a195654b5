"""Remembers a text by its length, its first and its last token."""

CAUGHT_BY = "test_perplexity"
HINT = "keep nothing between calls"


known = {}


def perplexity(log_probs):
    key = len(log_probs), log_probs[0], log_probs[-1]
    if key not in known:
        known[key] = math.exp(-sum(log_probs) / len(log_probs))
    return known[key]
