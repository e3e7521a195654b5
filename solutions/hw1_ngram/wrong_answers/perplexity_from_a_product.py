"""Multiplies the probabilities back together: right for a sentence, infinite for a long text."""

CAUGHT_BY = "test_perplexity"
HINT = "stay with logarithms until the very end"


def perplexity(log_probs):
    product = math.prod(math.exp(x) for x in log_probs)
    return (1 / product) ** (1 / len(log_probs)) if product > 0 else math.inf
