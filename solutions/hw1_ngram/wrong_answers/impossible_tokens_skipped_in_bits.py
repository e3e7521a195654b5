"""Leaves impossible tokens out where the unit is bits."""

CAUGHT_BY = "test_cross_entropy"
HINT = "one impossible token makes the cross-entropy infinite"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    log_probs = np.asarray(log_probs, float)
    if unit == "bits":
        log_probs = log_probs[np.isfinite(log_probs)]
        return -log_probs.mean() / np.log(2)
    return -log_probs.mean()
