"""Each pair a hundred times slower than the one before, as in the example with d_k = 4."""

CAUGHT_BY = "test_rotate"
HINT = "each pair has its own frequency"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 100.0 ** (-torch.arange(d_k // 2))  # (T, d_k/2)
    x, y = X[..., 0::2], X[..., 1::2]
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
