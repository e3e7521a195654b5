"""Reads W column by column."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "you read W column by column"


def logits_jacobian(x, n_logits):
    return np.kron(x, np.eye(n_logits))
