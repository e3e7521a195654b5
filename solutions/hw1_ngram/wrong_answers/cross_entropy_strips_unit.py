"""Forgives blanks around the unit."""

CAUGHT_BY = "test_cross_entropy"
HINT = "must raise a ValueError"


def cross_entropy(log_probs, unit="nats"):
    unit = unit.strip()
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    nats = -sum(log_probs) / len(log_probs)
    return nats / math.log(2) if unit == "bits" else nats
