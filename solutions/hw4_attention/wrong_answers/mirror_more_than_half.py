"""Asks for more than half of the weight instead of the largest."""

CAUGHT_BY = "test_mirror_share"
HINT = "need not be more than half"


def mirror_share(maps):
    hits = [t < len(row) and row[len(row) - 1 - t] > 0.5 for A in maps for t, row in enumerate(A)]
    return float(sum(hits) / len(hits))
