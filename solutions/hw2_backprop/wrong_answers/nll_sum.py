"""Sums over the batch."""

CAUGHT_BY = "test_nll"
HINT = "that is the sum over the two examples"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(Z)), targets].sum()
