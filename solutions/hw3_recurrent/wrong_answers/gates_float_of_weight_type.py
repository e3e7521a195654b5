"""The bias gets the type of bias_ih."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "a bias_ih of integers"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    W = np.split(np.hstack([weight_hh, weight_ih]), 4)
    total = bias_ih.copy()
    total[:] = bias_ih + bias_hh
    b = np.split(total, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
