"""Keeps what reaches the states between -5 and 5."""

CAUGHT_BY = "test_bptt"
HINT = "large weights make large gradients"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = np.clip(backward_states(p, h, dz), -5, 5) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
