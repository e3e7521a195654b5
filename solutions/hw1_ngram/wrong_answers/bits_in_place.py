"""Divides the array that it was given by log 2."""

CAUGHT_BY = "test_cross_entropy"
HINT = "changed the array"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError("unit must be nats or bits")
    log_probs = np.asarray(log_probs, dtype=float)
    if unit == "bits":
        log_probs /= np.log(2)
    return -np.mean(log_probs)
