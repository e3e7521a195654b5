"""Writes the result into the queries that it was given."""

CAUGHT_BY = "test_rotate"
HINT = "changed the tensor"


def rotate(X, start=0):
    T, d_k = X.shape[-2:]
    positions = torch.arange(start, start + T, dtype=X.dtype)
    angles = positions[:, None] * 10_000.0 ** (-torch.arange(0, d_k, 2) / d_k)  # (T, d_k/2)
    x, y = X[..., 0::2], X[..., 1::2]
    turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
    X[..., 0::2], X[..., 1::2] = turned
    return X
