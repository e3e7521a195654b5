"""Remembers under the set of the two sizes, so that from 5 to 3 answers for from 3 to 5."""

CAUGHT_BY = "test_linear_parameters"
HINT = "after 5 to 3"

known = {}


def linear_parameters(n_in, n_out, bias=True):
    key = frozenset((n_in, n_out)), bias
    if key not in known:
        known[key] = n_in * n_out + (n_out if bias else 0)
    return known[key]
