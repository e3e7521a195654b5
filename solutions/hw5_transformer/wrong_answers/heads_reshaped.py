"""Reshapes straight to (B, h, T, d_k): parts of a position become positions."""

CAUGHT_BY = "test_heads"
HINT = "parts of one position became positions"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    B, T, d = X.shape
    return X.reshape(B, n_heads, T, d // n_heads)


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
