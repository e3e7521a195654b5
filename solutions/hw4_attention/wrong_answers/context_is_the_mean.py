"""Averages once more."""

CAUGHT_BY = "test_context_vectors"
HINT = "the mean of the weighted states"


def context_vectors(weights, H):
    return (weights[:, :, None] * H).mean(dim=1)
