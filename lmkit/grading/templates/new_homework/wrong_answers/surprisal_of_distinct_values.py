"""Looks at every probability once, however many tokens have it: quiet as long as all are different."""

CAUGHT_BY = "test_surprisal"
HINT = "count each"


def surprisal(probabilities):
    return -np.log2(np.unique(probabilities)).mean()
