"""Calls a perplexity beyond e^60 infinite."""

CAUGHT_BY = "test_perplexity"
HINT = "large, but not infinite"


def perplexity(log_probs):
    h = -sum(log_probs) / len(log_probs)
    return math.inf if h > 60 else math.exp(h)
