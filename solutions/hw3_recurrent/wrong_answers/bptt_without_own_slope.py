"""Forgets the slope of each step's own tanh."""

CAUGHT_BY = "test_bptt"
HINT = "is the slope 1 - h² of every step"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(axis=0), "W_hy": dz.T @ h, "b_y": dz.sum(axis=0)}
