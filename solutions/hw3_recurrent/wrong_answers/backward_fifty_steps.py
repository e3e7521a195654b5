"""Each loss goes back fifty steps and no further."""

CAUGHT_BY = "test_backward_states"
HINT = "two hundred steps"


def backward_states(p, h, dz):
    T = len(h)
    own = np.asarray(dz, dtype=float) @ p["W_hy"]
    dh = np.zeros_like(own)
    for t in range(T):
        back = own[t]
        dh[t] += back
        for s in range(t, max(0, t - 50), -1):
            back = p["W_hh"].T @ ((1 - h[s] ** 2) * back)
            dh[s - 1] += back
    return dh
