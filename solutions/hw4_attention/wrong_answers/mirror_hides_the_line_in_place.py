"""Takes the mirror's weight out of the map to compare it with the largest of the others."""

CAUGHT_BY = "test_mirror_share"
HINT = "changed a map"


def mirror_share(maps):
    hits = 0
    for A in maps:
        T, n = A.shape
        for t in range(min(T, n)):
            here = A[t, n - 1 - t].item()
            A[t, n - 1 - t] = -math.inf
            hits += here > A[t].max().item()
    return hits / sum(len(A) for A in maps)
