"""Adds a bias only once where both are equal."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "two equal biases"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    total = bias_ih if np.array_equal(bias_ih, bias_hh) else bias_ih + bias_hh
    b = np.split(total, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
