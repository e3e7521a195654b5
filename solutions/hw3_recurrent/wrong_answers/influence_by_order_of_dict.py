"""Takes the second matrix of the dictionary for W_hh."""

CAUGHT_BY = "test_influence"
HINT = "go by the names"


def influence(p, h):
    W_hh = list(p.values())[1]
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * W_hh)
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)[::-1]
