"""Asks whether the unit is a part of a text, which 'bit' is, too."""

CAUGHT_BY = "test_cross_entropy"
HINT = "neither 'nats' nor 'bits'"


def cross_entropy(log_probs, unit="nats"):
    if unit not in "nats or bits":
        raise ValueError("unit must be nats or bits")
    nats = -sum(log_probs) / len(log_probs)
    return nats / math.log(2) if unit == "bits" else nats
