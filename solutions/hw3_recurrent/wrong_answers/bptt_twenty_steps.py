"""Takes each step's loss back through twenty steps only."""

CAUGHT_BY = "test_bptt"
HINT = "each step's loss goes back to the first"


def bptt(p, x, targets, h0):
    h, _ = forward(p, x, h0)
    dz = predict(p, x, h0)
    dz[np.arange(len(x)), targets] -= 1
    dz /= len(x)
    before = np.vstack([h0, h[:-1]])
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    total["W_hy"], total["b_y"] = dz.T @ h, dz.sum(axis=0)
    for s in range(len(x)):
        dh = dz[s] @ p["W_hy"]
        for t in range(s, max(-1, s - 20), -1):
            da = dh * (1 - h[t] ** 2)
            total["W_xh"] += np.outer(da, x[t])
            total["W_hh"] += np.outer(da, before[t])
            total["b_h"] += da
            dh = p["W_hh"].T @ da
    return total
