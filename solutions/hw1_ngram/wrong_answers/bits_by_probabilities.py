"""Goes back to probabilities for the logarithm to base 2: tiny ones become 0."""

CAUGHT_BY = "test_cross_entropy"
HINT = "go back to probabilities"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    log_probs = np.asarray(log_probs, float)
    if unit == "bits":
        with np.errstate(all="ignore"):
            log_probs = np.log2(np.exp(log_probs))
    return -log_probs.mean()
