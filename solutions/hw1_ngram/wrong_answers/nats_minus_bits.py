"""Subtracts an entropy in bits from a cross-entropy in nats."""

CAUGHT_BY = "test_excess_bits"
HINT = "you subtracted bits from nats"


def excess_bits(log_probs, entropy_bits):
    return -sum(log_probs) / len(log_probs) - entropy_bits
