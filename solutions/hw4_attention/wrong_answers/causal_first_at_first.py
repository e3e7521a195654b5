"""The first query stands at the first key."""

CAUGHT_BY = "test_causal_mask"
HINT = "the LAST query stands at the last key"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()
