"""Multiplies H and W_g once for each size of H, since they are the same at every step."""

CAUGHT_BY = "test_scaled_scores"
HINT = "right in one call, wrong in the next"

_keys = {}


def scaled_scores(H, W_g, s):
    if H.shape not in _keys:
        _keys[H.shape] = H @ W_g
    return (_keys[H.shape] @ s[..., None])[..., 0] / W_g.shape[0] ** 0.5
