"""Every h-th column belongs to a head."""

CAUGHT_BY = "test_heads"
HINT = "every other column"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    B, T, d = X.shape
    return X.reshape(B, T, d // n_heads, n_heads).permute(0, 3, 1, 2)


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
