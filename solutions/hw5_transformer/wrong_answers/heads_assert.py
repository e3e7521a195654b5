"""Checks with assert, whose error is no ValueError."""

CAUGHT_BY = "test_heads"
HINT = "that of assert an AssertionError"


def split_heads(X, n_heads):
    *_, d = X.shape
    assert d % n_heads == 0, "n_heads must divide d"
    return torch.stack(X.chunk(n_heads, dim=-1), dim=1)


def merge_heads(H):
    return torch.cat(H.unbind(dim=1), dim=-1)
