"""Gradients that are kept by states and dz, whatever the weights."""

CAUGHT_BY = "test_backward_states"
HINT = "another W_hh"


known = {}


def backward_states(p, h, dz):
    key = h.tobytes(), dz.tobytes()
    if key not in known:
        dh = dz @ p["W_hy"]
        for t in reversed(range(len(h) - 1)):
            dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
        known[key] = dh
    return known[key]
