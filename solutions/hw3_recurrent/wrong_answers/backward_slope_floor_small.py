"""The slope is kept from vanishing: at least 1e-4."""

CAUGHT_BY = "test_backward_states"
HINT = "has the slope 0"


def backward_states(p, h, dz):
    dh = np.asarray(dz, dtype=float) @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ (np.maximum(1 - h[t + 1] ** 2, 1e-4) * dh[t + 1])
    return dh
