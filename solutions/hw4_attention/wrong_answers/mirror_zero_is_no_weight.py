"""A weight of 0 is never the largest, not even where it is the only one."""

CAUGHT_BY = "test_mirror_share"
HINT = "has no other beside it"


def mirror_share(maps):
    hits = rows = 0
    for A in maps:
        for t, row in enumerate(A.tolist()):
            rows += 1
            at = len(row) - 1 - t
            hits += at >= 0 and row[at] > max(row[:at] + row[at + 1 :], default=0)
    return hits / rows
