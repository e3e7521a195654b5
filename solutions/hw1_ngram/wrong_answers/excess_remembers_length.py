"""Remembers the cross-entropy of a text by its length."""

CAUGHT_BY = "test_excess_bits"
HINT = "keep nothing between calls"


known = {}


def excess_bits(log_probs, entropy_bits):
    if len(log_probs) not in known:
        known[len(log_probs)] = -sum(log_probs) / len(log_probs) / math.log(2)
    return known[len(log_probs)] - entropy_bits
