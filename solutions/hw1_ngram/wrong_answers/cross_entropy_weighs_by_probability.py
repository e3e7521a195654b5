"""Weighs each token by its probability, as an entropy does; the text has done that already."""

CAUGHT_BY = "test_cross_entropy"
HINT = "none counts more than another"


def cross_entropy(log_probs, unit="nats"):
    if unit not in ("nats", "bits"):
        raise ValueError(unit)
    p = np.exp(log_probs)
    nats = -np.average(np.asarray(log_probs, dtype=float), weights=p)
    return nats / np.log(2) if unit == "bits" else nats
