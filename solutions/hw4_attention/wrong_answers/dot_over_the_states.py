"""Sums over the states instead of the dimension."""

CAUGHT_BY = "test_dot_scores"
HINT = "you summed over the states"


def dot_scores(H, s):
    return (H * s[:, None]).sum(dim=1)
