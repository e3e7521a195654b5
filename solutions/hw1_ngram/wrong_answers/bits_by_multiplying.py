"""Converts nats to bits in the wrong direction."""

CAUGHT_BY = "test_cross_entropy"
HINT = "you multiplied by log 2"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    nats = -sum(log_probs) / len(log_probs)
    return nats * math.log(2) if unit == "bits" else nats
