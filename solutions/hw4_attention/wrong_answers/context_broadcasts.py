"""weights @ H: every sentence meets the weights of every other."""

CAUGHT_BY = "test_context_vectors"
HINT = "met the weights of another"


def context_vectors(weights, H):
    return weights @ H
