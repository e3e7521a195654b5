"""Multiplies H and W once for each pair of sizes, since they are the same at every step."""

CAUGHT_BY = "test_bilinear_scores"
HINT = "right in one call, wrong in the next"

_keys = {}


def bilinear_scores(H, W, s):
    sizes = H.shape, W.shape
    if sizes not in _keys:
        _keys[sizes] = H @ W
    return (_keys[sizes] @ s[..., None]).squeeze(-1)
