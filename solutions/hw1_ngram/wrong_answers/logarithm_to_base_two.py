"""Bits where nats were asked for."""

CAUGHT_BY = "test_log_probability"
HINT = "natural logarithm (nats)"


def log_probability(factors):
    return sum(math.log2(factor) if factor > 0 else -math.inf for factor in factors)
