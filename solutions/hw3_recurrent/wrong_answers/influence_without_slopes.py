"""Powers of W_hh only."""

CAUGHT_BY = "test_influence"
HINT = "where are the slopes"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for _ in reversed(range(1, len(h))):
        J = J @ p["W_hh"]
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)[::-1]
