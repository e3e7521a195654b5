"""Goes back through the sums and divides by the slopes in the end: NaN where a unit is saturated."""

CAUGHT_BY = "test_backward_states"
HINT = "has the slope 0"


def backward_states(p, h, dz):
    own = np.asarray(dz, dtype=float) @ p["W_hy"]
    da = np.zeros_like(own)
    later = np.zeros(own.shape[1])
    for t in reversed(range(len(h))):
        da[t] = (own[t] + p["W_hh"].T @ later) * (1 - h[t] ** 2)
        later = da[t]
    return da / (1 - h**2)
