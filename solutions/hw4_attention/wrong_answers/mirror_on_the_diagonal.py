"""From the upper left to the lower right."""

CAUGHT_BY = "test_mirror_share"
HINT = "a word backwards is read from its end"


def mirror_share(maps):
    hits = [int(row.argmax()) == t for A in maps for t, row in enumerate(A)]
    return sum(hits) / len(hits)
