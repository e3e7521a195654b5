"""Takes None for a unit that is not given."""

CAUGHT_BY = "test_cross_entropy"
HINT = "must raise a ValueError"


def cross_entropy(log_probs, unit=None):
    if unit is None:
        unit = "nats"
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    nats = -sum(log_probs) / len(log_probs)
    return nats / math.log(2) if unit == "bits" else nats
