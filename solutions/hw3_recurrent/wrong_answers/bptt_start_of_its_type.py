"""The states before are copied into an array of h0's type, which may hold integers."""

CAUGHT_BY = "test_bptt"
HINT = "a start of integers"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz = dz / len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.tile(h0, (len(x), 1))
    before[1:] = h[:-1]
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
