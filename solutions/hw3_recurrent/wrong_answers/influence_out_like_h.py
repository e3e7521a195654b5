"""The result is an array of the type of h."""

CAUGHT_BY = "test_influence"
HINT = "states of integers"


def influence(p, h):
    J = np.eye(h.shape[1])
    out = np.ones(len(h), dtype=h.dtype)
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        out[t - 1] = np.linalg.norm(J, 2)
    return out
