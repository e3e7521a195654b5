"""Norms are cut off at 100, as gradients are clipped."""

CAUGHT_BY = "test_influence"
HINT = "however large"


def influence(p, h):
    J, norms = np.eye(h.shape[1]), [1.0]
    for t in range(len(h) - 1, 0, -1):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms.append(min(np.linalg.norm(J, 2), 100.0))
    return np.array(norms[::-1])
