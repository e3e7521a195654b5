"""Stops where nothing seems to be left of the gradient."""

CAUGHT_BY = "test_backward_states"
HINT = "nothing is cut off, above or below"


def backward_states(p, h, dz):
    dh = np.asarray(dz, dtype=float) @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        if np.abs(dh[t + 1]).max() > 1e-5:
            dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
