"""Takes entries below a millionth for noise of rounding."""

CAUGHT_BY = "test_logits_jacobian"
HINT = "tiny ones, too"


def logits_jacobian(x, n_logits):
    jacobian = np.kron(np.eye(n_logits), x)
    return np.where(np.abs(jacobian) < 1e-6, 0, jacobian)
