"""Sets what is small to zero."""

CAUGHT_BY = "test_influence"
HINT = "sixty steps that halve"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms.append(np.linalg.norm(J, 2) * (np.linalg.norm(J, 2) > 1e-12))
    return np.array(norms)[::-1]
