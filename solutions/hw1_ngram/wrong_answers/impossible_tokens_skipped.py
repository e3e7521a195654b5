"""Leaves tokens of probability 0 out of the mean."""

CAUGHT_BY = "test_cross_entropy"
HINT = "one impossible token makes the cross-entropy infinite"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    kept = [p for p in log_probs if p > -math.inf]
    nats = -sum(kept) / len(kept)
    return nats / math.log(2) if unit == "bits" else nats
