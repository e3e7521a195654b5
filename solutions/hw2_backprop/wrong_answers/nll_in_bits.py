"""Logarithm to base two."""

CAUGHT_BY = "test_nll"
HINT = "that is in bits"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(Z)), targets].mean() / math.log(2)
