"""The input's matrix on the left."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "weight_hh stands left of weight_ih"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_ih, weight_hh]), 4)
    b = np.split(bias_ih + bias_hh, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
