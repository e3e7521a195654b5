"""Multiplies in an array of the type of W_hh."""

CAUGHT_BY = "test_influence"
HINT = "weights of integers"


def influence(p, h):
    J = np.eye(h.shape[1], dtype=p["W_hh"].dtype)
    out = np.ones(len(h))
    for t in reversed(range(1, len(h))):
        J = (J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])).astype(p["W_hh"].dtype)
        out[t - 1] = np.linalg.norm(J, 2)
    return out
