"""Counts the mirror from the answer's length instead of the word's."""

CAUGHT_BY = "test_mirror_share"
HINT = "where n counts the letters of the word"


def mirror_share(maps):
    hits = []
    for A in maps:
        T, n = A.shape
        for t, row in enumerate(A):
            at = T - 1 - t
            hits.append(at < n and all(row[j] < row[at] for j in range(n) if j != at))
    return sum(hits) / len(hits)
