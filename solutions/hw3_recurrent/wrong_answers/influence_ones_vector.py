"""How long a vector of ones becomes, divided by its length."""

CAUGHT_BY = "test_influence"
HINT = "makes any vector longer"


def influence(p, h):
    J, out = np.eye(h.shape[1]), [1.0]
    v = np.ones(h.shape[1])
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        out.append(np.linalg.norm(J @ v) / np.linalg.norm(v))
    return np.array(out)[::-1]
