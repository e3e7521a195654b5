"""Positions in eight bits, which count to 127."""

CAUGHT_BY = "test_causal_mask"
HINT = "right for short texts"


def causal_mask(n_queries, n_keys):
    i, j = (torch.arange(n).to(torch.int8).int() for n in (n_queries, n_keys))
    return j <= i[:, None] + n_keys - n_queries
