"""Weights that differ by less than a thousandth are taken for a tie."""

CAUGHT_BY = "test_mirror_share"
HINT = "if not by much"


def mirror_share(maps):
    hits = total = 0
    for A in maps:
        T, n = A.shape
        total += T
        for t in range(min(T, n)):
            others = [float(A[t, j]) for j in range(n) if j != n - 1 - t]
            hits += all(float(A[t, n - 1 - t]) > other + 1e-3 for other in others)
    return hits / total
