"""Column -1 is the last one."""

CAUGHT_BY = "test_mirror_share"
HINT = "no column, though Python takes it for the last"


def mirror_share(maps):
    hits = []
    for A in maps:
        n = A.shape[1]
        for t, row in enumerate(A):
            if t < 2 * n:
                at = range(n)[n - 1 - t]
                hits.append(all(row[j] < row[at] for j in range(n) if j != at))
            else:
                hits.append(False)
    return sum(hits) / len(hits)
