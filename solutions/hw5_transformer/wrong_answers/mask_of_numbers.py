"""Zeros and ones instead of truth values."""

CAUGHT_BY = "test_causal_mask"
HINT = "a mask is boolean"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries)
