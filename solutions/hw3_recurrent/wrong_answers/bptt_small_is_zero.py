"""Sets what is below a hundred-thousandth to zero."""

CAUGHT_BY = "test_bptt"
HINT = "small gradients stay as small as they are"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    g = {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
    return {k: np.where(np.abs(v) < 1e-5, 0, v) for k, v in g.items()}
