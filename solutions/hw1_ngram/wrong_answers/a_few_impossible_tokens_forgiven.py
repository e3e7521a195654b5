"""Leaves out impossible tokens where they are few."""

CAUGHT_BY = "test_perplexity"
HINT = "however many others there are"


def perplexity(log_probs):
    possible = [log_p for log_p in log_probs if log_p > -math.inf]
    return math.exp(-sum(possible) / len(possible)) if len(possible) > 0.9 * len(log_probs) else math.inf
