"""f, i, g, o, as in the task before."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "the order of the gates"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    b = np.split(bias_ih + bias_hh, 4)
    return dict(zip("figo", W, strict=True)), dict(zip("figo", b, strict=True))
