"""Drops the columns that are left over."""

CAUGHT_BY = "test_heads"
HINT = "do not divide a width"


def split_heads(X, n_heads):
    B, T, d = X.shape
    d_k = d // n_heads
    return X[:, :, : n_heads * d_k].reshape(B, T, n_heads, d_k).transpose(1, 2)


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
