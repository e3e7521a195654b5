"""transpose_ instead of transpose: the given heads have another shape afterwards."""

CAUGHT_BY = "test_heads"
HINT = "transpose_ works in place"


def split_heads(X, n_heads):
    B, T, d = X.shape
    if d % n_heads:
        raise ValueError(f"{n_heads} heads do not divide {d}")
    return X.reshape(B, T, n_heads, d // n_heads).transpose(1, 2)


def merge_heads(H):
    B, h, T, k = H.shape
    return H.transpose_(1, 2).reshape(B, T, h * k)
