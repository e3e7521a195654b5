"""Queries before the text are given the first key."""

CAUGHT_BY = "test_causal_mask"
HINT = "wrong for"


def causal_mask(n_queries, n_keys):
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
    mask[:, 0] = True
    return mask
