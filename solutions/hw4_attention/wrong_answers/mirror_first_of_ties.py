"""argmax: the first of two that tie."""

CAUGHT_BY = "test_mirror_share"
HINT = "that tie do not count"


def mirror_share(maps):
    hits = [int(row.argmax()) == A.shape[1] - 1 - t for A in maps for t, row in enumerate(A)]
    return sum(hits) / len(hits)
