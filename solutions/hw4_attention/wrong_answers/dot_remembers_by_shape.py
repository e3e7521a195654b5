"""Keeps its results, by the sizes of the states."""

CAUGHT_BY = "test_dot_scores"
HINT = "right in one call, wrong in the next"

_seen = {}


def dot_scores(H, s):
    if H.shape not in _seen:
        _seen[H.shape] = torch.einsum("bnm,bm->bn", H, s)
    return _seen[H.shape]
