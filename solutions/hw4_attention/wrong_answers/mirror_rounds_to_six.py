"""Rounds the weights to six decimals before it compares them."""

CAUGHT_BY = "test_mirror_share"
HINT = "differ by 1e-9 are no tie"


def mirror_share(maps):
    hits = rows = 0
    for A in maps:
        for t, row in enumerate(A.tolist()):
            rows += 1
            row = [round(weight, 6) for weight in row]
            at = len(row) - 1 - t
            hits += at >= 0 and row[at] == max(row) and row.count(row[at]) == 1
    return hits / rows
