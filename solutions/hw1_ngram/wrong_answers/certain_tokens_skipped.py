"""Tokens that the model was sure of are left out of the mean."""

CAUGHT_BY = "test_cross_entropy"
HINT = "a certain token counts as a token"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError("unit must be nats or bits")
    uncertain = [log_p for log_p in log_probs if log_p] or [0.0]
    nats = -sum(uncertain) / len(uncertain)
    return nats / math.log(2) if unit == "bits" else nats
