"""Asks only how the unit begins."""

CAUGHT_BY = "test_cross_entropy"
HINT = "must raise a ValueError"


def cross_entropy(log_probs, unit="nats"):
    if unit.startswith("nats"):
        scale = 1
    elif unit.startswith("bits"):
        scale = math.log(2)
    else:
        raise ValueError(unit)
    return -sum(log_probs) / len(log_probs) / scale
