"""With heads in front, takes the number of the head for the position."""

CAUGHT_BY = "test_rotate"
HINT = "row r of the last but one axis"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    x, y = X[..., 0::2], X[..., 1::2]
    if X.ndim == 4 and X.shape[1] == T:
        angles = angles[:, None]
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    return torch.stack(turned, dim=-1).flatten(-2)
