"""As many outputs as there are targets in the text."""

CAUGHT_BY = "test_bptt"
HINT = "as many outputs as b_y has numbers"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    y = predict(p, x, h0)
    dz = (y - np.eye(int(max(targets)) + 1)[targets]) / len(x)
    da = backward_states(p, h, dz) * (1 - h**2)
    before = np.vstack([h0, h[:-1]])
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
