"""Counts positions in double precision where they do not begin with 0, and gives back that type."""

CAUGHT_BY = "test_rotate"
HINT = "another type went out for an X of shape"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=torch.float64 if start else X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], dim=-1).flatten(-2)
