"""What is nearly as large counts as a tie."""

CAUGHT_BY = "test_mirror_share"
HINT = "compare exactly, without a tolerance"


def mirror_share(maps):
    hits = total = 0
    for A in maps:
        T, n = A.shape
        total += T
        for t in range(min(T, n)):
            best = A[t].max()
            near = torch.isclose(A[t], best, rtol=1e-4)
            hits += bool(near[n - 1 - t]) and int(near.sum()) == 1
    return hits / total
