"""Matrices of the type of weight_hh: whole numbers, if its weights are."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "wrong for a weight_hh of integers"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    H = weight_hh.shape[1]
    W = np.empty((4 * H, H + weight_ih.shape[1]), dtype=weight_hh.dtype)
    W[:, :H], W[:, H:] = weight_hh, weight_ih
    W, b = np.split(W, 4), np.split(bias_ih + bias_hh, 4)
    return dict(zip("ifgo", W, strict=True)), dict(zip("ifgo", b, strict=True))
