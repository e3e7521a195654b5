"""The mean over words of their shares."""

CAUGHT_BY = "test_mirror_share"
HINT = "one share of all rows"


def mirror_share(maps):
    shares = []
    for A in maps:
        n = A.shape[1]
        hits = [t < n and all(row[j] < row[n - 1 - t] for j in range(n) if j != n - 1 - t) for t, row in enumerate(A)]
        if hits:
            shares.append(sum(hits) / len(hits))
    return sum(shares) / len(shares)
