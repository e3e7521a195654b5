"""Merges without bringing the positions back."""

CAUGHT_BY = "test_heads"
HINT = "numbers of two positions in one row"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    return X.reshape(*X.shape[:2], n_heads, -1).transpose(1, 2)


def merge_heads(H):
    B, h, T, d_k = H.shape
    return H.reshape(B, T, h * d_k)
