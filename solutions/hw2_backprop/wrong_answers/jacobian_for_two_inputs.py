"""Works for two inputs, as in the lecture's drawing."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "expected shape"


def logits_jacobian(x, n_logits):
    J = np.zeros((n_logits, 2 * n_logits))
    for k in range(n_logits):
        J[k, 2 * k : 2 * k + 2] = x[:2] if len(x) > 1 else x[0]
    return J
