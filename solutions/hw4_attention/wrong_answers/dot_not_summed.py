"""Multiplies, and forgets to sum."""

CAUGHT_BY = "test_dot_scores"
HINT = "number by number"


def dot_scores(H, s):
    return H * s[:, None]
