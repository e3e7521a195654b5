"""The first query stands at the first key, whatever the number of keys."""

CAUGHT_BY = "test_causal_mask"
HINT = "it may look at all six"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()
