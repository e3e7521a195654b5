"""A softmax of its own that subtracts the mean of the outputs, not the largest."""

CAUGHT_BY = "test_bptt"
HINT = "the largest of each ROW"


def bptt(p, x, targets, h0):
    h, z = forward(p, x, h0)
    e = np.exp(z - z.mean(axis=1, keepdims=True))
    dz = e / e.sum(axis=1, keepdims=True)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(axis=0), "W_hy": dz.T @ h, "b_y": dz.sum(axis=0)}
