"""Swaps queries and keys."""

CAUGHT_BY = "test_causal_mask"
HINT = "hides the past"


def causal_mask(n_queries, n_keys):
    queries = torch.arange(n_keys)[n_keys - n_queries :]  # their positions
    return torch.arange(n_keys) >= queries[:, None]
