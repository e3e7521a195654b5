"""Cuts the excess off at 0: no model is better than the best."""

CAUGHT_BY = "test_excess_bits"
HINT = "the excess is -0.5"


def excess_bits(log_probs, entropy_bits):
    return max(0.0, cross_entropy(log_probs, "bits") - entropy_bits)
