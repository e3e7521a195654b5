"""The largest singular value by power iteration, from the vector 1, 2, 3, …, which may be one that J takes to zero."""

CAUGHT_BY = "test_influence"
HINT = "takes (1, 2, 3) to zero"


def influence(p, h):
    H = h.shape[1]
    J, norms = np.eye(H), [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        v = np.arange(1.0, H + 1)
        for _ in range(1000):
            w = J.T @ (J @ v)
            if not w.any():
                break
            v = w / np.linalg.norm(w)
        norms.append(np.linalg.norm(J @ v) / np.linalg.norm(v))
    return np.array(norms)[::-1]
