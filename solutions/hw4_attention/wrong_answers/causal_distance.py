"""Takes the difference of queries and keys without its sign."""

CAUGHT_BY = "test_causal_mask"
HINT = "the first 3 of the queries may look at nothing"


def causal_mask(n_queries, n_keys):
    return torch.tril(torch.ones(n_queries, n_keys), diagonal=abs(n_keys - n_queries)).bool()
