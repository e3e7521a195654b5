"""Gives a view of the data where one head needs no splitting, and torch loses track of it."""

CAUGHT_BY = "test_heads"
HINT = "gradients are wrong for B, T, h"


def split_heads(X, n_heads):
    *_, d = X.shape
    if d % n_heads:
        raise ValueError("n_heads")
    if n_heads == 1:
        return X.detach()[:, None]
    return torch.stack(X.chunk(n_heads, dim=-1), dim=1)


def merge_heads(H):
    return torch.cat(H.unbind(dim=1), dim=-1)
