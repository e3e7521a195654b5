"""i, f, o, g, as in the lecture's stacked matrix."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "g and o are exchanged"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    b = np.split(bias_ih + bias_hh, 4)
    return dict(zip("ifog", W, strict=True)), dict(zip("ifog", b, strict=True))
