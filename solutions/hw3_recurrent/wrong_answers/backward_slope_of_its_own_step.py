"""Takes the slope at h_t instead of h_{t+1}."""

CAUGHT_BY = "test_backward_states"
HINT = "the slope of a wrong step"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ ((1 - h[t] ** 2) * dh[t + 1])
    return dh
