"""Each loss goes back `window` steps, across the windows' edges."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "wrong for 6 steps in windows of 3"


def truncated_bptt(p, x, targets, h0, window):
    h, _ = forward(p, x, h0)
    before = np.vstack([h0, h[:-1]])
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz = dz / len(x)
    da = np.zeros(h.shape)
    for t in range(len(x)):
        back = p["W_hy"].T @ dz[t]
        for s in range(t, max(t - window, -1), -1):
            da[s] += back * (1 - h[s] ** 2)
            back = p["W_hh"].T @ (back * (1 - h[s] ** 2))
    return {"W_xh": da.T @ x, "W_hh": da.T @ before, "b_h": da.sum(0), "W_hy": dz.T @ h, "b_y": dz.sum(0)}
