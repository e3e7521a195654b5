"""Multiplies blocks of twenty probabilities before it takes the logarithm."""

CAUGHT_BY = "test_perplexity"
HINT = "perplexity 1e20"


def perplexity(log_probs):
    p = [math.exp(log_p) for log_p in log_probs]
    if 0 in p:
        return math.inf
    blocks = [math.prod(p[i : i + 20]) for i in range(0, len(p), 20)]
    return math.exp(-sum(math.log(block) if block else -math.inf for block in blocks) / len(p))
