"""Turns the outer product for W_hh around."""

CAUGHT_BY = "test_bptt"
HINT = "the gradient is transposed"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": before.T @ da, "b_h": da.sum(axis=0), "W_hy": dz.T @ h, "b_y": dz.sum(axis=0)}
