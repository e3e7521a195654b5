"""Takes every unit that it does not know for nats."""

CAUGHT_BY = "test_cross_entropy"
HINT = "must raise a ValueError"


def cross_entropy(log_probs, unit="nats"):
    nats = -sum(log_probs) / len(log_probs)
    return nats / math.log(2) if unit == "bits" else nats
