"""Rounds the entries to twelve decimals."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "tiny ones, too"


def logits_jacobian(x, n_logits):
    return np.round(np.kron(np.eye(n_logits), x), 12)
