"""Multiplies the norms of the steps."""

CAUGHT_BY = "test_influence"
HINT = "not the product of the norms"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        norms.append(norms[-1] * np.linalg.norm((1 - h[t] ** 2)[:, None] * p["W_hh"], 2))
    return np.array(norms)[::-1]
