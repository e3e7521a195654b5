"""Leaves the states with one axis more."""

CAUGHT_BY = "test_context_vectors"
HINT = "changed an argument"


def context_vectors(weights, H):
    return (weights[:, None, None] @ H.unsqueeze_(0))[0, :, 0] if len(H) == 1 else (weights[:, None] @ H)[:, 0]
