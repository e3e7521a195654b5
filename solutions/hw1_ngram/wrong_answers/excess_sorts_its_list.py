"""Sorts the list in place, to add the small numbers first."""

CAUGHT_BY = "test_excess_bits"
HINT = "changed the list that it was given"


def excess_bits(log_probs, entropy_bits):
    if isinstance(log_probs, list):
        log_probs.sort()
    return cross_entropy(log_probs, "bits") - entropy_bits
