"""No token is charged for less than a probability of 1e-12, impossible ones excepted."""

CAUGHT_BY = "test_cross_entropy"
HINT = "put no floor under them"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError("unit must be nats or bits")
    floored = [max(log_p, math.log(1e-12)) if log_p > -math.inf else log_p for log_p in log_probs]
    nats = -sum(floored) / len(floored)
    return nats / math.log(2) if unit == "bits" else nats
