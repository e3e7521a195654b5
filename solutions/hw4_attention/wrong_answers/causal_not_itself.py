"""No query may look at its own position."""

CAUGHT_BY = "test_causal_mask"
HINT = "at its own position, too"


def causal_mask(n_queries, n_keys):
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries - 1)
