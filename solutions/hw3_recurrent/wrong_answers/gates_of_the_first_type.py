"""Writes both matrices into an array of the type of the first."""

CAUGHT_BY = "test_gates_from_torch"
HINT = "weight_ih of integers"


def gates_from_torch(weight_ih, weight_hh, bias_ih, bias_hh):
    H = weight_hh.shape[1]
    W, b = {}, {}
    for k, g in enumerate("ifgo"):
        M = np.zeros((H, H + weight_ih.shape[1]), dtype=weight_ih.dtype)
        M[:, :H] = weight_hh[k * H : (k + 1) * H]
        M[:, H:] = weight_ih[k * H : (k + 1) * H]
        W[g] = M
        b[g] = bias_ih[k * H : (k + 1) * H] + bias_hh[k * H : (k + 1) * H]
    return W, b
