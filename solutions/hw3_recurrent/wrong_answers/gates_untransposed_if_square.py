"""Transposes square matrices, which came in another orientation once."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "wrong matrix of gate"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    b = np.split(bias_ih + bias_hh, 4)
    H = len(W[0])
    W = [np.hstack([w[:, :H].T, w[:, H:]]) for w in W]
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
