"""Norms that are kept by the states, whatever the weights."""

CAUGHT_BY = "test_influence"
HINT = "another W_hh"


known = {}


def influence(p, h):
    key = h.tobytes(), h.shape
    if key not in known:
        J = np.eye(h.shape[1])
        norms = [1.0]
        for t in reversed(range(1, len(h))):
            J = J @ ((1 - h[t] ** 2)[:, None] * p["W_hh"])
            norms.append(np.linalg.norm(J, 2))
        known[key] = np.array(norms)[::-1]
    return known[key]
