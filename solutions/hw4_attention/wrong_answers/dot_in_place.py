"""Multiplies in place."""

CAUGHT_BY = "test_dot_scores"
HINT = "changed a tensor that it was given"


def dot_scores(H, s):
    H *= s[:, None]
    return H.sum(dim=-1)
