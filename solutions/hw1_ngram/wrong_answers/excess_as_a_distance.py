"""Takes the absolute value, as if it did not matter which of the two is larger."""

CAUGHT_BY = "test_excess_bits"
HINT = "the excess is -0.5"


def excess_bits(log_probs, entropy_bits):
    return abs(cross_entropy(log_probs, "bits") - entropy_bits)
