"""Turns the other way round."""

CAUGHT_BY = "test_rotate"
HINT = "you turn clockwise"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    x, y = X[..., 0::2], X[..., 1::2]
    turned = x * angles.cos() + y * angles.sin(), y * angles.cos() - x * angles.sin()
    return torch.stack(turned, dim=-1).flatten(-2)
