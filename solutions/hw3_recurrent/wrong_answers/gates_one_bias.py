"""Takes one of the two biases."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "both are added"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    b = np.split(bias_hh, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
