"""Looks for the two largest weights of each row: a word of one letter has no two."""

CAUGHT_BY = "test_mirror_share"
HINT = "a row of one weight has no second"


def mirror_share(maps):
    hits = 0
    for A in maps:
        for t in range(min(A.shape)):
            (a, b), (i, _) = torch.topk(A[t], 2)
            hits += int(i) == A.shape[1] - 1 - t and bool(a > b)
    return hits / sum(map(len, maps))
