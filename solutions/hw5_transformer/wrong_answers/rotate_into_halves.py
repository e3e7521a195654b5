"""Turns neighbours, but puts all first coordinates in front of all second ones."""

CAUGHT_BY = "test_rotate"
HINT = "or write the results there"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    frequencies = 10_000.0 ** (-torch.arange(0, d_k, 2, dtype=X.dtype) / d_k)
    angles = torch.arange(start, start + T, dtype=X.dtype)[:, None] * frequencies
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.cat([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], dim=-1)
