"""Averages over the different values only."""

CAUGHT_BY = "test_excess_bits"
HINT = "every token counts"


def excess_bits(log_probs, entropy_bits):
    values = {float(log_p) for log_p in log_probs}
    return -sum(values) / len(values) / math.log(2) - entropy_bits
