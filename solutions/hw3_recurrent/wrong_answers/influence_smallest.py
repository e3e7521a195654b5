"""The smallest singular value."""

CAUGHT_BY = "test_influence"
HINT = "makes any vector longer"


def influence(p, h):
    J, out = np.eye(h.shape[1]), [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        out.append(np.linalg.norm(J, -2))
    return np.array(out)[::-1]
