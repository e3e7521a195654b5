"""Computes the second coordinate from the new first one."""

CAUGHT_BY = "test_rotate"
HINT = "goes to (cos 1, sin 1)"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    x, y = X[..., 0::2], X[..., 1::2]
    x = x * angles.cos() - y * angles.sin()
    turned = x, x * angles.sin() + y * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
