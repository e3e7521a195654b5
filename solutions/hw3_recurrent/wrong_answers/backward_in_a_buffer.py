"""One array for the gradients, used again by the next call of the same size."""

CAUGHT_BY = "test_backward_states"
HINT = "changed the gradients that the first one returned"


buffers = {}


def backward_states(p, h, dz):
    dh = buffers.setdefault(np.shape(h), np.zeros(np.shape(h)))
    dh[:] = dz @ p["W_hy"]
    for t in reversed(range(len(h) - 1)):
        dh[t] += p["W_hh"].T @ ((1 - h[t + 1] ** 2) * dh[t + 1])
    return dh
