"""Goes from the first to the last: what arrives is not handed on."""

CAUGHT_BY = "test_backward_states"
HINT = "the gradient does not go on"


def backward_states(p, h, dz):
    dh = dz @ p["W_hy"]
    for t in range(len(h) - 1):
        dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
