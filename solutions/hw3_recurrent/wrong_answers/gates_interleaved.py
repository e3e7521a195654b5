"""Reads the rows as unit by unit, four gates each."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "wrong matrix of gate"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = [np.hstack([weight_hh, weight_ih])[k::4] for k in range(4)]
    b = [(bias_ih + bias_hh)[k::4] for k in range(4)]
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
