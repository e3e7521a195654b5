"""Adds 1e-9 to the sum, so that its logarithm exists, though it is 1 or more."""

CAUGHT_BY = "test_nll"
HINT = "add nothing before a logarithm"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    return (np.log(np.exp(shifted).sum(axis=1) + 1e-9) - shifted[np.arange(len(Z)), targets]).mean()
