"""Subtracts the largest score only where it is above zero."""

CAUGHT_BY = "test_nll"
HINT = "even where it is below zero"


def nll(Z, targets):
    Z = Z - np.maximum(Z.max(1, keepdims=True), 0)
    lp = (Z - np.log(np.exp(Z).sum(1, keepdims=True)))[np.arange(len(Z)), targets]
    return float(-lp.mean())
