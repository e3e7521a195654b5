"""Averages over the different log-probabilities, so a common one counts once."""

CAUGHT_BY = "test_cross_entropy"
HINT = "every token counts"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    different = set(log_probs)
    nats = -sum(different) / len(different)
    return nats / math.log(2) if unit == "bits" else nats
