"""Skips the steps whose own output is not in the loss."""

CAUGHT_BY = "test_backward_states"
HINT = "a loss that comes from the last output only"


def backward_states(p, h, dz):
    dh = np.zeros(h.shape)
    back = np.zeros(h.shape[1])
    for t in reversed(range(len(h))):
        if not dz[t].any():
            continue
        dh[t] = dz[t] @ p["W_hy"] + back
        back = p["W_hh"].T @ ((1 - h[t] ** 2) * dh[t])
    return dh
