"""One array for the norms, used again by the next call with as many steps."""

CAUGHT_BY = "test_influence"
HINT = "changed the norms that the first one returned"


buffers = {}


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = buffers.setdefault(len(h), np.ones(len(h)))
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
        norms[t - 1] = np.linalg.norm(J, 2)
    return norms
