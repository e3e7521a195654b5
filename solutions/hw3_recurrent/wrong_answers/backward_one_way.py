"""Only through the step's own output."""

CAUGHT_BY = "test_backward_states"
HINT = "only one way"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    return dh
