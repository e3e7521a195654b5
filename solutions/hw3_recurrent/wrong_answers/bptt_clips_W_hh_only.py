"""Clips the gradient of the recurrent matrix, the one that explodes."""

CAUGHT_BY = "test_bptt"
HINT = "large weights make large gradients"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    W_hh = np.clip(da.T @ before, -5, 5)
    return {"W_xh": da.T @ x, "W_hh": W_hh, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
