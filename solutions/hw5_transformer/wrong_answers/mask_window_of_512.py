"""Cuts the mask from a square of 512."""

CAUGHT_BY = "test_causal_mask"
HINT = "wrong for 2 queries and 5001 keys"


SQUARE = torch.ones(512, 512, dtype=torch.bool).tril()


def causal_mask(n_queries, n_keys):
    return SQUARE[n_keys - n_queries : n_keys, :n_keys]
