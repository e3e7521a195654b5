"""The slopes multiply the columns of W_hh."""

CAUGHT_BY = "test_influence"
HINT = "belongs to ROW i of W_hh"


def influence(p, h):
    J = np.eye(h.shape[1])
    norms = [1.0]
    for t in reversed(range(1, len(h))):
        J = J @ ((1 - h[t] ** 2) * p["W_hh"])
        norms.append(np.linalg.norm(J, 2))
    return np.array(norms)[::-1]
