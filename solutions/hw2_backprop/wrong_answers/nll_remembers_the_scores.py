"""Keeps the loss of given scores, whatever the targets."""

CAUGHT_BY = "test_nll"
HINT = "others than in the call before"

_seen = {}


def nll(Z, targets):
    if Z.tobytes() not in _seen:
        shifted = Z - Z.max(axis=1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        _seen[Z.tobytes()] = -log_p[np.arange(len(Z)), targets].mean()
    return _seen[Z.tobytes()]
