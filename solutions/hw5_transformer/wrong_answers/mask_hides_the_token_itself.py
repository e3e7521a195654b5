"""A position may not look at itself."""

CAUGHT_BY = "test_causal_mask"
HINT = "a position may look at itself"


def causal_mask(n_queries, n_keys):
    queries = torch.arange(n_keys)[n_keys - n_queries :]  # their positions
    return torch.arange(n_keys) < queries[:, None]
