"""Goes back to probabilities: a tiny one is taken for 0."""

CAUGHT_BY = "test_excess_bits"
HINT = "do not go back to probabilities"


def excess_bits(log_probs, entropy_bits):
    with np.errstate(all="ignore"):
        return float(-np.log2(np.exp(log_probs)).mean() - entropy_bits)
