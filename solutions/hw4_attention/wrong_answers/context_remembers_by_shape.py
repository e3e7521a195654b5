"""Keeps its results, by the sizes of the states."""

CAUGHT_BY = "test_context_vectors"
HINT = "right in one call, wrong in the next"

_seen = {}


def context_vectors(weights, H):
    if H.shape not in _seen:
        _seen[H.shape] = torch.einsum("bn,bnm->bm", weights, H)
    return _seen[H.shape]
