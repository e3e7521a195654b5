"""Subtracts the largest scores only where the largest of the whole matrix is far from 0."""

CAUGHT_BY = "test_nll"
HINT = "always, also where none"


def nll(Z, targets):
    if Z.max() > 700 or Z.max() < -700:
        Z = Z - Z.max(axis=1, keepdims=True)
    return -(Z - np.log(np.exp(Z).sum(1, keepdims=True)))[np.arange(len(Z)), targets].mean()
