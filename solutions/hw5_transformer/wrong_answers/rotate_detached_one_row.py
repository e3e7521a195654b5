"""Detaches a single row, since only generation reads row by row."""

CAUGHT_BY = "test_rotate"
HINT = "gradients are wrong for an X of shape"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    if T == 1:
        X = X.detach()
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], dim=-1).flatten(-2)
