"""Each loss goes back ten steps and no further, "because it vanishes anyway"."""

CAUGHT_BY = "test_backward_states"
HINT = "two hundred steps"


def backward_states(p, h, dz):
    dh = np.zeros(h.shape)
    for end in range(len(h)):
        gradient = p["W_hy"].T @ dz[end]
        for t in range(end, max(end - 10, -1), -1):
            dh[t] += gradient
            gradient = p["W_hh"].T @ ((1 - h[t] ** 2) * gradient)
    return dh
