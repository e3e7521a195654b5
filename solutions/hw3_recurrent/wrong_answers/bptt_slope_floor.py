"""Takes a slope of at least a millionth, so that no gradient vanishes."""

CAUGHT_BY = "test_bptt"
HINT = "have the slope 0"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * np.maximum(1 - h**2, 1e-6)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(axis=0), "W_hy": dz.T @ h, "b_y": dz.sum(axis=0)}
