"""Writes the softmax anew, as e^z over its sum: infinity over infinity for large outputs."""

CAUGHT_BY = "test_truncated_bptt"
HINT = "the largest of each ROW"


def truncated_bptt(p, x, targets, h0, window):
    total = {name: np.zeros(np.shape(value)) for name, value in p.items()}
    state = np.asarray(h0, dtype=float)
    for start in range(0, len(x), window):
        xs, ys = x[start : start + window], targets[start : start + window]
        h, z = forward(p, xs, state)
        e = np.exp(z)
        dz = e / e.sum(axis=1, keepdims=True)
        dz[np.arange(len(xs)), ys] -= 1
        dz /= len(x)
        da = backward_states(p, h, dz) * (1 - h**2)
        before = np.vstack([state, h[:-1]])
        for name, g in {
            "W_xh": da.T @ xs,
            "W_hh": da.T @ before,
            "b_h": da.sum(axis=0),
            "W_hy": dz.T @ h,
            "b_y": dz.sum(axis=0),
        }.items():
            total[name] += g
        state = h[-1]
    return total
