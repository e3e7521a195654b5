"""Leaves out the rows that have no letter to mirror."""

CAUGHT_BY = "test_mirror_share"
HINT = "count as not found"


def mirror_share(maps):
    hits = []
    for A in maps:
        n = A.shape[1]
        hits += [all(row[j] < row[n - 1 - t] for j in range(n) if j != n - 1 - t) for t, row in enumerate(A[:n])]
    return sum(hits) / len(hits)
