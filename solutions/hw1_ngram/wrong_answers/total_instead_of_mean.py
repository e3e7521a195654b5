"""Sums the negative log-probabilities and forgets to divide by the number of tokens."""

CAUGHT_BY = "test_cross_entropy"
HINT = "cross-entropy is the mean per token"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    return -sum(log_probs) / (math.log(2) if unit == "bits" else 1)
