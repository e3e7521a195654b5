"""Indexes rows and targets as a grid instead of in pairs."""

CAUGHT_BY = "test_nll"
HINT = "wrong loss"


def nll(Z, targets):
    shifted = Z - Z.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    picked = np.take(log_p, targets, axis=1)
    return -np.diagonal(picked).mean() if len(Z) <= 5 else -picked.mean()
