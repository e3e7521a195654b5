"""Subtracts each position's mean score: overflows for wide rows."""

CAUGHT_BY = "test_nll"
HINT = "the LARGEST score"


def nll(Z, targets):
    keep = targets != -1
    Z = Z[keep]
    Z = Z - Z.mean(-1, keepdim=True)
    lp = Z - Z.exp().sum(-1, keepdim=True).log()
    return -lp.gather(-1, targets[keep][:, None]).mean()
