"""Sorts the list in place, to add the small numbers first."""

CAUGHT_BY = "test_cross_entropy"
HINT = "changed the list that it was given"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    if isinstance(log_probs, list):
        log_probs.sort()  # adds more exactly
    h = -sum(log_probs) / len(log_probs)
    return h / math.log(2) if unit == "bits" else h
