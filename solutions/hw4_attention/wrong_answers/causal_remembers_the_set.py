"""Remembers masks under the set of the two sizes, so that two queries and five keys answer for five and two."""

CAUGHT_BY = "test_causal_mask"
HINT = "5 queries, 2 keys: a row for each query"


known = {}


def causal_mask(n_queries, n_keys):
    sizes = frozenset((n_queries, n_keys))
    if sizes not in known:
        known[sizes] = torch.arange(n_keys) <= torch.arange(n_queries)[:, None] + n_keys - n_queries
    return known[sizes]
