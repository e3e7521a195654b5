"""Sorts the list that it was given, to add up small numbers first."""

CAUGHT_BY = "test_perplexity"
HINT = "changed a list"


def perplexity(log_probs):
    if isinstance(log_probs, list):
        log_probs.sort(reverse=True)
    return math.exp(-sum(log_probs) / len(log_probs))
