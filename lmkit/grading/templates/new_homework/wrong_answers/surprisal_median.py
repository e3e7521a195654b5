"""Takes the median, which for two tokens is the mean: only hidden tests can tell."""

CAUGHT_BY = "test_surprisal"
HINT = "wrong mean for"


def surprisal(probabilities):
    return np.median(-np.log2(probabilities))
