"""Merges the first two heads, and no others."""

CAUGHT_BY = "test_heads"
HINT = "wrong shape of merge_heads"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    return X.reshape(*X.shape[:2], n_heads, -1).transpose(1, 2)


def merge_heads(H):
    return torch.cat([H[:, 0], H[:, -1]], dim=-1)
