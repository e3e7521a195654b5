"""Builds the Jacobian once for each size, with the first input of this size."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "is another than in the call before"

_made = {}


def logits_jacobian(x, n_logits):
    if (len(x), n_logits) not in _made:
        _made[len(x), n_logits] = np.kron(np.eye(n_logits), x)
    return _made[len(x), n_logits]
