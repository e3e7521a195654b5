"""Multiplies in the order of time."""

CAUGHT_BY = "test_influence"
HINT = "later steps stand on the left"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = ((1 - h[t] ** 2)[:, None] * p["W_hh"]) @ J
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)[::-1]
