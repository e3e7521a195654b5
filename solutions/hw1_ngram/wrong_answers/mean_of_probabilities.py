"""Averages probabilities where their logarithms must be averaged."""

CAUGHT_BY = "test_perplexity"
HINT = "average their logarithms instead"


def perplexity(log_probs):
    return 1 / np.mean(np.exp(log_probs))
