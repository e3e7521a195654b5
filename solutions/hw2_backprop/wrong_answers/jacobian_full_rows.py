"""Forgets that a score depends on its own row of W only."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "zeros there"


def logits_jacobian(x, n_logits):
    return np.tile(x, (n_logits, n_logits))
