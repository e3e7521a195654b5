"""Compares in single precision, where weights that differ by little are the same."""

CAUGHT_BY = "test_mirror_share"
HINT = "differ by 1e-9 are no tie"


def mirror_share(maps):
    hits = rows = 0
    for A in maps:
        for t, row in enumerate(A.float()):
            rows += 1
            n = len(row)
            hits += bool(t < n and (row == row.max()).sum() == 1 and row.argmax() == n - 1 - t)
    return hits / rows
