"""Keeps the table of angles of the first call, type and all."""

CAUGHT_BY = "test_rotate"
HINT = "an old table of angles"


_cache = {}


def rotate(X, start=0):
    T, d = X.shape[-2:]
    key = (T, d, start)
    if key not in _cache:
        a = torch.arange(start, start + T, dtype=X.dtype)[:, None] * 10_000.0 ** (
            -torch.arange(0, d, 2, dtype=X.dtype) / d
        )
        _cache[key] = a.cos(), a.sin()
    c, s = _cache[key]
    x, y = X[..., ::2], X[..., 1::2]
    return torch.stack([x * c - y * s, x * s + y * c], -1).flatten(-2)
