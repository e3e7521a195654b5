"""Does not check, and lets torch fail."""

CAUGHT_BY = "test_heads"
HINT = "torch's own error"


def split_heads(X, n_heads):
    B, T, d = X.shape
    return X.reshape(B, T, n_heads, d // n_heads).transpose(1, 2)


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
