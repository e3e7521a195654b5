"""The upper triangle."""

CAUGHT_BY = "test_causal_mask"
HINT = "AHEAD"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu()
