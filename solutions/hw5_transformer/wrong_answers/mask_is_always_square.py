"""A row for each key, whatever the number of queries."""

CAUGHT_BY = "test_causal_mask"
HINT = "one query and six keys"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_keys, n_keys, dtype=torch.bool).tril()
