"""Subtracts the largest scores only where some score of the matrix is far from 0 on the side of its largest."""

CAUGHT_BY = "test_nll"
HINT = "always, also where none"


def nll(Z, targets):
    if Z.max() > 700 or Z.max() < -700:
        Z = Z - Z.max(axis=1, keepdims=True)
    return -(Z - np.log(np.exp(Z).sum(1, keepdims=True)))[np.arange(len(Z)), targets].mean()
