"""Divides by the sum of the weights, which may be 0."""

CAUGHT_BY = "test_context_vectors"
HINT = "do not divide by their sum"


def context_vectors(weights, H):
    return (weights[:, :, None] * H).sum(dim=1) / weights.sum(dim=1, keepdim=True)
