"""The largest singular value by power iteration, from a vector of ones, which may be one that J takes to zero."""

CAUGHT_BY = "test_influence"
HINT = "the most for ALL vectors"


def spectral_norm(J):
    v = np.ones(J.shape[1])
    for _ in range(200):
        w = J.T @ (J @ v)
        if not w.any():
            break
        v = w / np.linalg.norm(w)
    return np.linalg.norm(J @ v) / np.linalg.norm(v)


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms.append(spectral_norm(J))
    return np.array(norms)[::-1]
