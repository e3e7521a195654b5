"""Takes the largest eigenvalue for the norm."""

CAUGHT_BY = "test_influence"
HINT = "hands numbers from unit to unit"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms.append(np.abs(np.linalg.eigvals(J)).max())
    return np.array(norms)[::-1]
