"""Cuts every mask from one of 64 by 64, made for the longest text that came to mind."""

CAUGHT_BY = "test_causal_mask"
HINT = "no text is too long"


def causal_mask(n_queries, n_keys):
    square = torch.ones(64, 64, dtype=torch.bool).tril()
    return square[n_keys - n_queries : n_keys, :n_keys]
