"""Writes into one array of its own, whatever was returned before."""

CAUGHT_BY = "test_backward_states"
HINT = "stays as it is"


buffers = {}


def backward_states(p, h, dz):
    dh = buffers.setdefault(np.shape(h), np.zeros(np.shape(h)))
    dh[:] = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
