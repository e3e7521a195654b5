"""Goes no further back than to a step at which any unit is saturated."""

CAUGHT_BY = "test_backward_states"
HINT = "a state of exactly 1 beside one of 0.5"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"].astype(float)
    for t in reversed(range(len(h) - 1)):
        if not (abs(h[t + 1]) == 1).any():
            dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
