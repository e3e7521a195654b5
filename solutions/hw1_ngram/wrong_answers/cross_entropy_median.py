"""The median token in place of the mean."""

CAUGHT_BY = "test_cross_entropy"
HINT = "none counts more than another"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    nats = -float(np.median(log_probs))
    return nats / math.log(2) if unit == "bits" else nats
