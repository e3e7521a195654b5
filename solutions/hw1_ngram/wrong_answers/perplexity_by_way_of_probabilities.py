"""Goes back to probabilities: e^-800 becomes 0 and the text impossible."""

CAUGHT_BY = "test_perplexity"
HINT = "tiny, but not impossible"


def perplexity(log_probs):
    probabilities = [math.exp(log_p) for log_p in log_probs]
    return math.inf if 0 in probabilities else math.exp(-sum(map(math.log, probabilities)) / len(probabilities))
