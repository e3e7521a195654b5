"""A square of the queries' size, where there are more keys."""

CAUGHT_BY = "test_causal_mask"
HINT = "a row for each query"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()
