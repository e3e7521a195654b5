"""Fewer queries than keys: thinks that all of them may look at everything."""

CAUGHT_BY = "test_causal_mask"
HINT = "the last query stands at the last key"


def causal_mask(n_queries, n_keys):
    whole = torch.ones(n_queries, n_keys, dtype=torch.bool)
    return whole.tril() if n_queries == n_keys else whole
