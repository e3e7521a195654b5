"""Leaves the heads on the axis behind the positions."""

CAUGHT_BY = "test_heads"
HINT = "the heads come before the positions"


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d")
    return X.unflatten(-1, (n_heads, -1))


def merge_heads(H):
    return torch.cat(list(H.unbind(dim=1)), dim=-1)
