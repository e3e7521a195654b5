"""True where the key is hidden."""

CAUGHT_BY = "test_causal_mask"
HINT = "MAY look"


def causal_mask(n_queries, n_keys):
    queries = torch.arange(n_keys)[n_keys - n_queries :]  # their positions
    return torch.arange(n_keys) > queries[:, None]
