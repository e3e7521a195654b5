"""Rounds the weights to twelve decimals before it compares them."""

CAUGHT_BY = "test_mirror_share"
HINT = "round nothing"


def mirror_share(maps):
    hits = rows = 0
    for A in maps:
        for t, row in enumerate(A.tolist()):
            rows += 1
            row = [round(weight, 12) for weight in row]
            at = len(row) - 1 - t
            hits += at >= 0 and row[at] == max(row) and row.count(row[at]) == 1
    return hits / rows
