"""Clips what comes back, as if gradients were to be clipped here."""

CAUGHT_BY = "test_backward_states"
HINT = "nothing is cut off"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += np.clip(p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1]), -3, 3)
    return dh
