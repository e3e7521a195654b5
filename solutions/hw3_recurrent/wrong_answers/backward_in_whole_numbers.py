"""The gradients get the kind of numbers that dz has, and are rounded if these are whole."""

CAUGHT_BY = "test_backward_states"
HINT = "whole numbers"


def backward_states(p, h, dz):
    dh = np.zeros(h.shape, dtype=dz.dtype)
    back = 0
    for t in range(len(h) - 1, -1, -1):
        dh[t] = p["W_hy"].T @ dz[t] + back
        back = p["W_hh"].T @ ((1 - h[t] ** 2) * dh[t])
    return dh
