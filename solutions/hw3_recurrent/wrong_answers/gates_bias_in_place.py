"""Adds one bias to the other, in place."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "changed an array that it was given"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    bias_ih += bias_hh
    b = np.split(bias_ih, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
