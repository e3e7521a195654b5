"""Pairs column i with column i + d_k/2."""

CAUGHT_BY = "test_rotate"
HINT = "you pair column i"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    x, y = X[..., : d_k // 2], X[..., d_k // 2 :]
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.cat(turned, dim=-1)
