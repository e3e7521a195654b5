"""Keeps a table of angles for each shape, whatever the start was."""

CAUGHT_BY = "test_rotate"
HINT = "an old table of angles"


tables = {}


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = tables.setdefault((T, d_k), positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k))
    x, y = X[..., 0::2], X[..., 1::2]
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
